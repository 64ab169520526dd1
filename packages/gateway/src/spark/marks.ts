import type { KubeObject } from "@kindling/kube-objects";

/**
 * The uid that a driver was told for an object before it was created. Objects with this annotation were created by a gateway.
 */
export const GIVEN_UID = "gateway.kindling/uid";
/** The fingerprint of what the driver asked for. It is kept because the API server fills in fields. */
export const REQUEST = "gateway.kindling/request";
/** When a gateway opened the driver's gate: its minimum executors were promised at that time. */
export const ADMITTED_AT = "gateway.kindling/admitted-at";
/** "true" on executors that were created before their driver asked for them, until it does. */
export const EARLY = "gateway.kindling/early";
/** The scheduling gate of an executor whose own objects do not exist yet. */
export const OBJECTS_GATE = "gateway.kindling/objects";

/** On pods of a set: the uid of the driver pod that asked for the set. Their owner is the set. */
export const DRIVER_UID = "gateway.kindling/driver";
/** On pods of a set: the set, as `statefulsets/<name>`. (The direct owner of a Deployment's pod is a ReplicaSet.) */
export const SET = "gateway.kindling/set";
/** On a set: how many executors its driver has asked for. `spec.replicas` is how many are admitted. */
export const WANTED_REPLICAS = "gateway.kindling/replicas";

/** Whether a gateway has created an object, or the set to which it belongs. */
export function isMade({ metadata: { annotations } }: KubeObject): boolean {
  return (annotations?.[GIVEN_UID] ?? annotations?.[SET]) !== undefined;
}

/** Whether an executor was created early and its driver has not asked for it yet. */
export function isEarly({ metadata: { annotations } }: KubeObject): boolean {
  return annotations?.[EARLY] !== undefined;
}

/** The uid by which the driver knows an object. */
export function givenUid({ metadata: { annotations, uid } }: KubeObject): string {
  return annotations?.[GIVEN_UID] ?? uid;
}

/** On executors that were made with more memory than their driver has asked for: the first size, and how often it has grown. */
export const EXECUTOR_MEMORY_ANNOTATION = "gateway.kindling/executor-memory";
