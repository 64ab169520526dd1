import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { connectionDoor } from "./connection-door.ts";
import { connectionBook } from "./connection-book.ts";
import type { Connection, RequestSpan } from "./connection.ts";
import type { GuardOptions } from "./guard-options.ts";
import { guardRequests, type GuardedHandlers } from "./guard-requests.ts";

/** The connections of a server's clients. */
export interface ConnectionGuard {
  /** The span of a request, from its headers to its end. */
  spanOf(request: IncomingMessage): RequestSpan | undefined;
  all(): Iterable<Connection>;
  readonly count: number;
}

/**
 * Keeps the number of a server's connections within its limits. When all places are taken, a new connection gets the place of
 * the least useful one. So clients that hold connections without using them cannot lock others out.
 */
export function guardConnections(server: Server, handlers: GuardedHandlers, options: GuardOptions): ConnectionGuard {
  const book = connectionBook();
  const admitting = connectionDoor(book, options);
  server.on("connection", (socket: Socket) => admitting.connected(socket));
  // With TLS, requests come over another object than the connected socket.
  server.on("secureConnection", (socket: Socket) => book.secured(socket));
  const spanOf = guardRequests(server, handlers, { book, connectionDoor: admitting }, options);
  return {
    spanOf,
    all: () => book.all,
    get count() {
      return book.all.size;
    },
  };
}
