import type { KubeObject } from "@kindling/kube-objects";
import type { IncomingMessage } from "node:http";
import { objectAt, objectsAt, textAt } from "../../json/fields.ts";

/**
 * Whether a request comes from the address of a pod, which no other pod has. Pods in the host's network share their address
 * with everything on that node, so for them the answer is no.
 */
export function isAtItsAddress(pod: KubeObject, { socket }: IncomingMessage): boolean {
  if (objectAt(pod, "spec")["hostNetwork"] === true) return false;
  const address = (socket.remoteAddress ?? "").replace(/^::ffff:(?=\d+\.)/i, "");
  const own = [textAt(pod, "status", "podIP"), ...objectsAt(pod, "status", "podIPs").map((one) => textAt(one, "ip"))];
  return own.includes(address);
}
