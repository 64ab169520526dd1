import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { objectsAt } from "./fields.ts";

/** A condition in an object's status; `undefined` if there is none of this type. */
export function findCondition(object: KubeObject, type: string): JsonObject | undefined {
  return objectsAt(object, "status", "conditions").find((condition) => condition["type"] === type);
}

/** A condition with the status `True`; `undefined` if there is none. */
export function trueCondition(object: KubeObject, type: string): JsonObject | undefined {
  const condition = findCondition(object, type);
  return condition?.["status"] === "True" ? condition : undefined;
}

/** The condition by which the scheduler of Kubernetes says that it finds no node for a pod; `undefined` if it does not say so. */
export function unschedulable(pod: KubeObject): JsonObject | undefined {
  const condition = findCondition(pod, "PodScheduled");
  return condition?.["status"] === "False" && condition["reason"] === "Unschedulable" ? condition : undefined;
}
