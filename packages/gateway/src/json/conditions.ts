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
