import type { KubeObject } from "@kindling/kube-objects";

/** The uid that a driver was given for an object before it was made. Objects that have it were made by a gateway. */
export const GIVEN_UID = "gateway.kindling/uid";
/** The fingerprint of what the driver asked for: the API server fills in fields, which hides it. */
export const REQUEST = "gateway.kindling/request";
/** When a gateway opened the driver's gate: its least executors were promised it then. */
export const ADMITTED_AT = "gateway.kindling/admitted-at";
/** "true" on executors that were made before their driver asked for them, until it does. */
export const EARLY = "gateway.kindling/early";
/** The scheduling gate of an executor whose own objects are not there yet. */
export const OBJECTS_GATE = "gateway.kindling/objects";

/** On pods of a set: the uid of the driver pod that asked for the set. Their owner is the set. */
export const DRIVER_UID = "gateway.kindling/driver";
/** On pods of a set: where it is, as `statefulsets/<name>`. A pod of a Deployment is owned by a ReplicaSet between. */
export const SET = "gateway.kindling/set";
/** On a set: how many executors its driver has asked for. `spec.replicas` are those that are admitted. */
export const WANTED_REPLICAS = "gateway.kindling/replicas";

/** Whether a gateway has made an object, or the set that it is of. */
export function isMade({ metadata: { annotations } }: KubeObject): boolean {
  return (annotations?.[GIVEN_UID] ?? annotations?.[SET]) !== undefined;
}

/** Whether an executor is there that its driver has not asked for yet. */
export function isEarly({ metadata: { annotations } }: KubeObject): boolean {
  return annotations?.[EARLY] !== undefined;
}

/** The uid by which the driver knows an object. */
export function givenUid({ metadata: { annotations, uid } }: KubeObject): string {
  return annotations?.[GIVEN_UID] ?? uid;
}
