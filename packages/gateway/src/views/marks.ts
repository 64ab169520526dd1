import type { KubeObject } from "@kindling/api-server";

/** The uid that a driver was given for an object before it was made. Objects that have it were made by a gateway. */
export const GIVEN_UID = "gateway.kindling/uid";
/** The fingerprint of what the driver asked for: the API server fills in fields, which hides it. */
export const REQUEST = "gateway.kindling/request";

/** Whether a gateway has made an object. */
export function isMade({ metadata: { annotations } }: KubeObject): boolean {
  return annotations?.[GIVEN_UID] !== undefined;
}

/** The uid by which the driver knows an object. */
export function givenUid({ metadata: { annotations, uid } }: KubeObject): string {
  return annotations?.[GIVEN_UID] ?? uid;
}
