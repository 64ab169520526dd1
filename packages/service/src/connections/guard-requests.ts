import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { ConnectionDoor } from "./connection-door.ts";
import type { ConnectionBook } from "./connection-book.ts";
import type { RequestSpan } from "./connection.ts";
import type { GuardOptions } from "./guard-options.ts";
import { endSlow } from "./slow-body.ts";
import { endUnread } from "./unread-body.ts";

/** The handlers of requests. */
export interface GuardedHandlers {
  readonly request: RequestListener;
  /** For requests that ask for another protocol; without it, Node answers them like normal requests. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

// Almost no client sends the next request before it has the answer. A client that sends thousands in this way would make the
// server handle all of them before anybody else has a turn.
const MOST_PIPELINED = 4;

/**
 * Passes on a server's requests if their connections still exist.
 *
 * @returns a request's span, from its headers to its end
 */
export function guardRequests(
  server: Server,
  handlers: GuardedHandlers,
  { book, connectionDoor }: { readonly book: ConnectionBook; readonly connectionDoor: ConnectionDoor },
  { clock, onCut, bodies }: Omit<GuardOptions, "limits">,
): (request: IncomingMessage) => RequestSpan | undefined {
  const spans = new WeakMap<IncomingMessage, RequestSpan>();
  // Node itself would answer a request with an unknown expectation, and the request would not be counted. The expectation may
  // be ignored (RFC 9110, 10.1.1).
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    server.emit("request", request, response);
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // A connection that was just closed may still have requests in the data that was read last.
    const connection = book.of(socket);
    if (connection === undefined) return;
    if (connection.requests >= MOST_PIPELINED) {
      connectionDoor.cut(connection, "pipelining");
      return;
    }
    const span = connection.requestBegan();
    const cut = (): void => connection.cut();
    response.once("close", () => span.end());
    response.once("finish", () => {
      if (!request.complete) endUnread(request, { socket, clock, cut });
    });
    if (bodies !== undefined && !request.complete) {
      const tooSlow = (): void => {
        onCut("slow-body");
        cut();
      };
      span.onEnd(endSlow(request, { clock, rate: bodies, cut: tooSlow }));
    }
    spans.set(request, span);
    handlers.request(request, response);
  });
  const { upgrade } = handlers;
  if (upgrade !== undefined) {
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const connection = book.of(request.socket);
      if (connection === undefined) return;
      const span = connection.requestBegan();
      socket.once("close", () => span.end());
      spans.set(request, span);
      upgrade(request, socket, head);
    });
  }
  return (request) => spans.get(request);
}
