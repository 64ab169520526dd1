import { type IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";
import { wantsWebSocket, webSocketSink } from "../watch/web-socket.ts";
import { Exchange } from "./exchange.ts";
import { admitted, answerError, handleRequest, typeOf, verbOf } from "./handle-request.ts";
import { openWatch } from "./handle-watch.ts";
import { parseTarget } from "./request-target.ts";
import type { Service } from "./service.ts";

/**
 * Answers a request that asks for another protocol. Watches may use WebSocket, which the clients of Spark drivers try first.
 * All other requests are answered like normal requests.
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
  const exchange = new Exchange(request, response);
  const target = parseTarget(exchange.path);
  const verb = verbOf(exchange, target);
  if (target.kind !== "resource" || verb !== "watch" || !wantsWebSocket(request)) {
    await handleRequest(service, request, response);
    return;
  }
  try {
    const own = await admitted(service, exchange, target, verb);
    const type = own && typeOf(own, exchange, target);
    if (own === undefined || type === undefined) return;
    // The real server's WebSocket library requires an `Origin` header with any value.
    if (request.headers.origin === undefined) {
      response.detachSocket(socket as Socket);
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    openWatch(own, exchange, type, target, () => {
      response.detachSocket(socket as Socket);
      return webSocketSink(request, socket, head);
    });
  } catch (error) {
    answerError(exchange, error);
  }
}
