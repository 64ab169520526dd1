import { isOnDemandPart, type Queue, spotIn, type SpotRule } from "@kindling/admission";
import { SCHEDULER_SPOT_ANNOTATION } from "@kindling/core-spec";
import type { KubeObject } from "@kindling/kube-objects";
import { jsonObjectIn, textsAt } from "../../json/fields.ts";

/** The rule for an application: its own, or else that of its queue. Invalid values are ignored. */
export function spotRuleOf(driver: KubeObject, queues: Queue, queue: string): SpotRule | undefined {
  return readSpotRule(jsonObjectIn(driver.metadata.annotations?.[SCHEDULER_SPOT_ANNOTATION])) ?? spotIn(queues, queue);
}

function readSpotRule(wish: Readonly<Record<string, unknown>> | undefined): SpotRule | undefined {
  const share = wish?.["share"];
  if (typeof share !== "number" || !(share >= 0 && share <= 1)) return undefined;
  const onDemand = textsAt(wish, "onDemand").filter(isOnDemandPart);
  return { share, onDemand, fallback: wish?.["fallback"] !== false };
}
