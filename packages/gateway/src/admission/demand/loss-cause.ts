import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { trueCondition } from "../../json/conditions.ts";
import { objectAt, objectsAt, textAt } from "../../json/fields.ts";
import { departureOf } from "../nodes-to-come/departure.ts";

/**
 * Why an executor was lost. `node-goes`: its node was taken away, and that was announced. `eviction`: it was evicted from a node
 * that stays. `preemption`: a pod with a higher priority took its place. `node-lost`: its node is gone, or cannot be reached.
 * `node-pressure`: its node had too little memory or disk. `memory`: it used more memory than it may. `failed`: it ended with
 * an error.
 */
export type LossCause = "node-goes" | "eviction" | "preemption" | "node-lost" | "node-pressure" | "memory" | "failed";

/** What the kubelet says of pods that it ends because its node shuts down. */
const SHUTDOWN = /shutdown/i;

/**
 * Why an executor ended that nobody has given up; `undefined` if its driver or the gateway has ended it, or if it has done its
 * work. (Kubernetes, "Pod disruption conditions".)
 *
 * @param node its node, if that is known
 */
export function lossCause(pod: KubeObject, node: KubeObject | undefined): LossCause | undefined {
  const disruption = trueCondition(pod, "DisruptionTarget");
  if (disruption !== undefined) return causeOfDisruption(disruption, node);
  if (pod.metadata.deletionTimestamp !== undefined || textAt(pod, "status", "phase") !== "Failed") return undefined;
  const reason = textAt(pod, "status", "reason") ?? "";
  if (reason === "NodeLost") return "node-lost";
  if (reason === "Evicted") return "node-pressure";
  if (SHUTDOWN.test(reason) || SHUTDOWN.test(textAt(pod, "status", "message") ?? "")) return "node-goes";
  const ends = objectsAt(pod, "status", "containerStatuses").map((status) => objectAt(status, "state", "terminated"));
  if (ends.some((end) => textAt(end, "reason") === "OOMKilled")) return "memory";
  return ends.some((end) => textAt(end, "reason") === "ContainerStatusUnknown") ? "node-lost" : "failed";
}

function causeOfDisruption(disruption: JsonObject, node: KubeObject | undefined): LossCause {
  switch (textAt(disruption, "reason") ?? "") {
    case "PreemptionByScheduler":
      return "preemption";
    case "DeletionByTaintManager":
    case "DeletionByPodGC":
      return "node-lost";
    case "TerminationByKubelet":
      return SHUTDOWN.test(textAt(disruption, "message") ?? "") ? "node-goes" : "node-pressure";
    default:
      return node !== undefined && departureOf(node) !== undefined ? "node-goes" : "eviction";
  }
}
