import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { objectAt, objectsAt } from "../../../json/fields.ts";
import { OBJECTS_GATE } from "../../../spark/marks.ts";
import type { ConfiguredExecutor } from "./configured-executor.ts";

/** Adds a scheduling gate to an executor with own objects, so that it starts only when these objects exist. */
export function heldFor(executor: ConfiguredExecutor): ConfiguredExecutor {
  const { pod, objects } = executor;
  if (objects.length === 0) return executor;
  const schedulingGates = [...objectsAt(pod, "spec", "schedulingGates"), { name: OBJECTS_GATE }];
  return { ...executor, pod: { ...pod, spec: { ...objectAt(pod, "spec"), schedulingGates } } };
}

/** Whether an executor waits for its own objects. */
export function isHeld(pod: KubeObject): boolean {
  return objectsAt(pod, "spec", "schedulingGates").some(({ name }) => name === OBJECTS_GATE);
}

/** The gates of the pod without the gate for its objects. */
export function gatesWithoutOurs(pod: KubeObject): JsonObject[] {
  return objectsAt(pod, "spec", "schedulingGates").filter(({ name }) => name !== OBJECTS_GATE);
}

/** An object with its executor as owner. */
export function ownedBy(
  object: KubeObject,
  { name, uid }: { readonly name: string; readonly uid: string },
): KubeObject {
  const owner = { apiVersion: "v1", kind: "Pod", name, uid, controller: true };
  const others = object.metadata.ownerReferences ?? [];
  return { ...object, metadata: { ...object.metadata, ownerReferences: [...others, owner] } };
}
