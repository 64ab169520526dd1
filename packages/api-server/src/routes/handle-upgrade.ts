import { type IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";
import { unknownPath } from "../status/errors.ts";
import { wantsWebSocket, webSocketSink } from "../watch/web-socket.ts";
import { Exchange } from "./exchange.ts";
import { answerError, authorizeResource, handleRequest, typeOf, verbOf } from "./handle-request.ts";
import { openWatch } from "./handle-watch.ts";
import { applyFaults } from "./inject-faults.ts";
import { parseTarget } from "./request-target.ts";
import type { Service } from "./service.ts";

/**
 * Answers a request that asks for another protocol. Watches may come by WebSocket, which is what the clients of Spark
 * drivers try first; all else is answered as if it had been a plain request.
 */
export async function handleUpgrade(
  service: Service,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  socket.on("error", () => socket.destroy());
  const response = new ServerResponse(request);
  response.assignSocket(socket as Socket);
  response.shouldKeepAlive = false;
  response.on("finish", () => void socket.end());
  const exchange = new Exchange(request, response, service.schema);
  const target = parseTarget(exchange.path);
  const verb = target.kind === "resource" ? verbOf(exchange, target) : "";
  if (target.kind !== "resource" || verb !== "watch" || !wantsWebSocket(request)) {
    await handleRequest(service, request, response);
    return;
  }
  try {
    if (!(await applyFaults(service, exchange, verb, target.plural))) return;
    exchange.user = service.authenticate(exchange);
    authorizeResource(service, exchange, target, verb);
    const type = typeOf(service, exchange, target);
    if (type === undefined) return;
    if (target.name !== undefined && !target.watchPath) throw unknownPath();
    // The server's WebSocket library insists on an origin, whichever it is.
    if (request.headers.origin === undefined) {
      response.detachSocket(socket as Socket);
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    openWatch(service, exchange, type, target, () => {
      response.detachSocket(socket as Socket);
      return webSocketSink(request, socket, head);
    });
  } catch (error) {
    answerError(exchange, error);
  }
}
