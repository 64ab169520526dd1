import type { KubeObject } from "@kindling/kube-objects";
import type { IncomingMessage } from "node:http";
import { objectAt, objectsAt, textAt } from "../../json/fields.ts";

/**
 * Whether a request comes from the address of a pod, which no other pod has. Pods of the host's network share theirs with
 * all that runs there: of them it says nothing.
 */
export function isAtItsAddress(pod: KubeObject, { socket }: IncomingMessage): boolean {
  if (objectAt(pod, "spec")["hostNetwork"] === true) return false;
  const address = (socket.remoteAddress ?? "").replace(/^::ffff:(?=\d+\.)/i, "");
  const own = [textAt(pod, "status", "podIP"), ...objectsAt(pod, "status", "podIPs").map((one) => textAt(one, "ip"))];
  return own.includes(address);
}
