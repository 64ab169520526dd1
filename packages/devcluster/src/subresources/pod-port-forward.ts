import { connect, type Socket } from "node:net";
import {
  ApiError,
  badRequest,
  collectionOf,
  methodNotAllowed,
  notFound,
  OPCODES,
  openWebSocket,
  resourceName,
  type SubresourceHandler,
  wantsWebSocket,
} from "@kindling/api-server";
import type { Pod } from "../objects/pod.ts";

const PROTOCOL = "v4.channel.k8s.io";
const DATA = 0;
const ERROR = 1;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * GET of a connection to ports of a pod, as a WebSocket: each message begins with the number of a channel, two for each port, and
 * the first message of a channel has only the port (Kubernetes 1.34, pkg/kubelet/server/portforward/websocket.go). It needs a
 * runtime whose pods have addresses on this machine.
 */
export const podPortForward: SubresourceHandler = ({ service, exchange, type, target }) => {
  const { request, response, query } = exchange;
  if (exchange.method !== "GET") throw methodNotAllowed();
  const stored = collectionOf(service.api, type).get(target.namespace, target.name);
  if (stored === undefined) throw notFound(resourceName(type), target.name);
  const { status } = stored.object as Pod;
  const host = status.podIP;
  if (status.phase !== "Running" || host === undefined)
    throw badRequest(`unable to forward port because pod is not running. Current status=${status.phase ?? "Pending"}`);
  const ports = query
    .getAll("ports")
    .flatMap((text) => text.split(","))
    .map(Number);
  if (ports.length === 0) throw badRequest('query parameter "port" is required');
  if (!ports.every((port) => Number.isInteger(port) && port > 0 && port < 65_536))
    throw badRequest("a port is invalid");
  const offered = (request.headers["sec-websocket-protocol"] ?? "").split(/\s*,\s*/);
  const { socket } = response;
  if (!wantsWebSocket(request) || !offered.includes(PROTOCOL) || socket === null)
    throw new ApiError(400, "BadRequest", `only ${PROTOCOL} in a WebSocket is spoken here`);
  response.detachSocket(socket);
  relay(socket, (events) => openWebSocket(request, socket, { head: Buffer.alloc(0), protocol: PROTOCOL, ...events }), {
    host,
    ports,
  });
};

type Open = (events: { readonly onMessage: (message: Buffer) => void }) => ReturnType<typeof openWebSocket>;

/** Copies between the channels of a WebSocket and the ports of a pod. */
function relay(client: Socket, open: Open, { host, ports }: { readonly host: string; readonly ports: number[] }): void {
  const inPod = ports.map((port) => connect({ host, port, timeout: CONNECT_TIMEOUT_MS }));
  const opened = open({
    onMessage(message) {
      const channel = message[0] ?? 0;
      const pod = channel % 2 === DATA ? inPod[channel / 2] : undefined;
      if (pod?.write(message.subarray(1)) === false) {
        client.pause();
        pod.once("drain", () => client.resume());
      }
    },
  });
  const send = (channel: number, payload: Buffer): boolean =>
    opened.send(OPCODES.binary, [[Buffer.from([channel]), payload]]);
  for (const [index, pod] of inPod.entries()) {
    const port = Buffer.alloc(2);
    port.writeUInt16LE(ports[index] ?? 0);
    for (const channel of [DATA, ERROR]) send(2 * index + channel, port);
    pod.once("connect", () => pod.setTimeout(0));
    pod.once("timeout", () => pod.destroy(new Error(`connection to ${host} timed out`)));
    pod.on("data", (bytes: Buffer) => {
      if (send(2 * index + DATA, bytes)) return;
      pod.pause();
      client.once("drain", () => pod.resume());
    });
    pod.on("error", (error) => {
      const words = `error forwarding port ${ports[index] ?? 0} to pod: ${error.message}`;
      send(2 * index + ERROR, Buffer.from(words));
    });
    pod.once("close", () => {
      if (inPod.every(({ destroyed }) => destroyed)) opened.close();
    });
  }
  client.once("close", () => {
    for (const pod of inPod) pod.destroy();
  });
}
