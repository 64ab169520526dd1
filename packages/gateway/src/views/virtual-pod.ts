import { formatTime, isObject, type JsonObject, type KubeObject } from "@kindling/kube-objects";
import { objectsAt, textAt } from "../json/fields.ts";

/** Why a pod that only its driver sees is not in the cluster. */
export type WaitReason = "AwaitingAdmission" | "AwaitingQuota" | "AwaitingCluster";

/** A pod as its driver sees it before it is created: Pending, like a pod without a node. */
export function virtualPod(pod: KubeObject, now: number): KubeObject {
  const condition = {
    type: "PodScheduled",
    status: "False",
    reason: "AwaitingAdmission",
    message: "the gateway has not admitted this executor yet",
    lastProbeTime: null,
    lastTransitionTime: formatTime(now),
  };
  return { ...pod, status: { phase: "Pending", conditions: [condition] } };
}

/** The same pod with another reason why it waits; the same object if the reason is the same. */
export function waitingFor(pod: KubeObject, reason: WaitReason, message: string): KubeObject {
  const status = isObject(pod["status"]) ? pod["status"] : {};
  const known = objectsAt(status, "conditions");
  if (known.some((condition) => condition["reason"] === reason && condition["message"] === message)) return pod;
  const conditions: JsonObject[] = known.map((condition) =>
    textAt(condition, "type") === "PodScheduled" ? { ...condition, reason, message } : condition,
  );
  return { ...pod, status: { ...status, conditions } };
}

/** A pod that the cluster refuses for good. Its driver sees it as failed. */
export function refusedPod(pod: KubeObject, reason: string, message: string): KubeObject {
  return { ...pod, status: { phase: "Failed", reason, message } };
}
