import { createHash, randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import { kubeError } from "../errors/kube-error.ts";
import { resources } from "../resources.ts";
import type { Transport } from "../transport/transport.ts";
import { ForwardedPort } from "../port-forward/forwarded-port.ts";
import type { CallOptions } from "./options.ts";
import { resourcePath, withQuery } from "./request-path.ts";

const PROTOCOL = "v4.channel.k8s.io";
// RFC 6455, 1.3.
const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Where a connection goes. */
export interface PodPort {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

/**
 * Opens a connection to a port of a pod through the API server and the pod's kubelet. It needs the right to create
 * `pods/portforward`; older API servers ask for `get`.
 *
 * @throws KubeError
 */
export async function portForward(
  transport: Transport,
  { namespace, pod: name, port }: PodPort,
  { signal, timeoutMs }: Pick<CallOptions, "signal" | "timeoutMs">,
): Promise<Duplex> {
  const key = randomBytes(16).toString("base64");
  const path = withQuery(resourcePath(resources.pods, { namespace, name, subresource: "portforward" }), {
    ports: port,
  });
  const { headers, socket } = await transport.upgrade({
    ...{ method: "GET", path, signal, timeoutMs, accept: "*/*", repeatable: "always" },
    upgrade: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": key,
      "sec-websocket-protocol": PROTOCOL,
    },
  });
  const accepted = createHash("sha1").update(`${key}${MAGIC}`).digest("base64");
  if (headers["sec-websocket-accept"] === accepted && headers["sec-websocket-protocol"] === PROTOCOL)
    return new ForwardedPort(socket);
  socket.destroy();
  throw kubeError({ kind: "protocol" }, "the API server does not forward ports over a WebSocket", {
    method: "GET",
    path,
    hint: "a proxy in front of it may not let WebSockets through",
  });
}
