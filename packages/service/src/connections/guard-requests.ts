import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Admission } from "./admission.ts";
import type { ConnectionBook } from "./connection-book.ts";
import type { RequestSpan } from "./connection.ts";
import type { GuardOptions } from "./guard-options.ts";
import { endSlow } from "./slow-body.ts";
import { endUnread } from "./unread-body.ts";

/** What becomes of requests. */
export interface GuardedHandlers {
  readonly request: RequestListener;
  /** Of those that ask for another protocol; without it, Node answers as if they had not. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

// Hardly a client sends the next request before it has the answer; one that sends thousands so makes the server work off
// all of them before anybody else has a turn.
const MOST_PIPELINED = 4;

/**
 * Hands a server's requests on, of connections that are still there.
 *
 * @returns a request's span, from its headers to its end
 */
export function guardRequests(
  server: Server,
  handlers: GuardedHandlers,
  { book, admission }: { readonly book: ConnectionBook; readonly admission: Admission },
  { clock, onCut, bodies }: Omit<GuardOptions, "limits">,
): (request: IncomingMessage) => RequestSpan | undefined {
  const spans = new WeakMap<IncomingMessage, RequestSpan>();
  // Node would answer an expectation that it does not know by itself, and nobody would have counted the request. It need
  // not be met (RFC 9110, 10.1.1).
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    server.emit("request", request, response);
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // One that has just been cut may still have requests in what was read last.
    const connection = book.of(socket);
    if (connection === undefined) return;
    if (connection.requests >= MOST_PIPELINED) {
      admission.cut(connection, "pipelining");
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
