import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { objectAt, objectsAt } from "../../../json/fields.ts";
import { OBJECTS_GATE } from "../../../spark/marks.ts";
import type { ConfiguredExecutor } from "./configured-executor.ts";

/** An executor with own objects starts when they are there, so that it mounts and finds them: a scheduling gate sees to it. */
export function heldFor(executor: ConfiguredExecutor): ConfiguredExecutor {
  const { pod, objects } = executor;
  if (objects.length === 0) return executor;
  const schedulingGates = [...objectsAt(pod, "spec", "schedulingGates"), { name: OBJECTS_GATE }];
  return { ...executor, pod: { ...pod, spec: { ...objectAt(pod, "spec"), schedulingGates } } };
}

/** Whether an executor waits for own objects. */
export function isHeld(pod: KubeObject): boolean {
  return objectsAt(pod, "spec", "schedulingGates").some(({ name }) => name === OBJECTS_GATE);
}

/** The gates of the pod when its objects are there. */
export function gatesWithoutOurs(pod: KubeObject): JsonObject[] {
  return objectsAt(pod, "spec", "schedulingGates").filter(({ name }) => name !== OBJECTS_GATE);
}

/** An object that goes with its executor. */
export function ownedBy(
  object: KubeObject,
  { name, uid }: { readonly name: string; readonly uid: string },
): KubeObject {
  const owner = { apiVersion: "v1", kind: "Pod", name, uid, controller: true };
  const others = object.metadata.ownerReferences ?? [];
  return { ...object, metadata: { ...object.metadata, ownerReferences: [...others, owner] } };
}
