import { createHmac } from "node:crypto";

/**
 * The token that a driver asks this service for: made from a key of the service and the pod's name, so that a service that was
 * started again knows it, and needs no right to read Secrets.
 */
export function driverToken(key: Buffer, namespace: string, pod: string): string {
  return createHmac("sha256", key).update(`${namespace}/${pod}`).digest("base64url");
}
