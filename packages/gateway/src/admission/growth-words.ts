import type { GrowthRefusal } from "@kindling/admission";

/** Why an executor may not have more resources, for its driver's log. */
export function growthWords(refusal: GrowthRefusal): string {
  switch (refusal.kind) {
    case "unknown":
      return "it is on no node yet, or is about to leave";
    case "ceiling":
      return `the ceiling of queue ${refusal.queue} leaves too little for it`;
    case "quota":
      return `ResourceQuota ${refusal.quota} leaves too little for it`;
    case "room":
      return "its node has too little left for it, or what is left is kept for others";
  }
}
