import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock } from "@kindling/outside";
import { clientOfAddress } from "./client-address.ts";
import { chooseVictims } from "./choose-victims.ts";
import { ClientConnection, type Connection, type RequestSpan } from "./connection.ts";
import type { RateLimit } from "./rate-guard.ts";
import { endSlow } from "./slow-body.ts";
import { endUnread } from "./unread-body.ts";

export interface ConnectionLimits {
  /** Most connections at once. */
  readonly most: number;
  /** Most of them of one client: of somebody known, else from one address. */
  readonly mostPerClient: number;
  /** Whether many clients share an address, so that its connections are not counted together. */
  readonly isProxy: (address: string) => boolean;
}

/**
 * Why a connection was not kept: for a newcomer, because its client had its share, because nobody could make room, for
 * sending requests without waiting for answers, for a body that came too slowly.
 */
export type CutReason = "for-newcomer" | "per-client" | "full" | "pipelining" | "slow-body";

export interface GuardOptions {
  readonly limits: ConnectionLimits;
  readonly clock: Clock;
  readonly onCut: (reason: CutReason) => void;
  /** The slowest that a body may come; absent where those who read bodies see to that. */
  readonly bodies?: RateLimit;
}

/** What becomes of requests. */
export interface GuardedHandlers {
  readonly request: RequestListener;
  /** Of those that ask for another protocol; without it, Node answers as if they had not. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** The connections of a server's clients. */
export interface ConnectionGuard {
  /** From its headers to its end. */
  spanOf(request: IncomingMessage): RequestSpan | undefined;
  all(): Iterable<Connection>;
  readonly count: number;
}

// Hardly a client sends the next request before it has the answer; one that sends thousands so makes the server work off
// all of them before anybody else has a turn.
const MOST_PIPELINED = 4;

/**
 * Keeps the number of a server's connections within its limits. When all places are taken, a newcomer gets that of the
 * least deserving connection: whoever holds connections without using them cannot keep others out.
 */
export function guardConnections(
  server: Server,
  handlers: GuardedHandlers,
  { limits, clock, onCut, bodies }: GuardOptions,
): ConnectionGuard {
  const connections = new Set<ClientConnection>();
  const bySocket = new WeakMap<Socket, ClientConnection>();
  const spans = new WeakMap<IncomingMessage, RequestSpan>();
  const byPeer = new Map<string, ClientConnection>();
  const byClient = new Map<string, Set<ClientConnection>>();
  const now = (): number => clock.monotonic();

  function enter(connection: ClientConnection): void {
    const { client } = connection;
    byClient.set(client, (byClient.get(client) ?? new Set()).add(connection));
  }

  function leave(connection: ClientConnection, client: string): void {
    const others = byClient.get(client);
    others?.delete(connection);
    if (others?.size === 0) byClient.delete(client);
  }

  function forget(connection: ClientConnection): void {
    if (!connections.delete(connection)) return;
    if (byPeer.get(connection.peer) === connection) byPeer.delete(connection.peer);
    leave(connection, connection.client);
  }

  function makeRoom(among: ReadonlySet<ClientConnection>, reason: CutReason): boolean {
    const of = (client: string): number => byClient.get(client)?.size ?? 0;
    const victims = chooseVictims({ candidates: among, of }, now());
    for (const victim of victims) {
      onCut(reason);
      forget(victim);
      victim.cut();
    }
    return victims.length > 0;
  }

  /** Somebody has said who they are, and may have more connections than they should. */
  function moved(connection: ClientConnection, from: string, to: string): void {
    if (!connections.has(connection)) return;
    leave(connection, from);
    const others = byClient.get(to);
    if (others !== undefined && others.size >= limits.mostPerClient) makeRoom(others, "per-client");
    enter(connection);
  }

  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    // It is gone already.
    if (remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    const isProxy = limits.isProxy(remoteAddress);
    const client = `address ${clientOfAddress(remoteAddress)}`;
    const others = byClient.get(client);
    if (others !== undefined && others.size >= limits.mostPerClient && !isProxy && !makeRoom(others, "per-client")) {
      turnAway(socket, "per-client");
    } else if (connections.size >= limits.most && !makeRoom(connections, "for-newcomer")) turnAway(socket, "full");
    else admit(socket, client, isProxy);
  });
  // With TLS, requests come over another object than the one that was connected.
  server.on("secureConnection", (socket: Socket) => {
    const connection = byPeer.get(peerOf(socket));
    if (connection === undefined) return;
    connection.secured(socket);
    bySocket.set(socket, connection);
  });

  function turnAway(socket: Socket, reason: CutReason): void {
    onCut(reason);
    socket.destroy();
  }

  function admit(socket: Socket, client: string, isProxy: boolean): void {
    const connection: ClientConnection = new ClientConnection(socket, {
      client,
      isProxy,
      peer: peerOf(socket),
      now,
      onClient: (from, to) => moved(connection, from, to),
    });
    connections.add(connection);
    bySocket.set(socket, connection);
    byPeer.set(connection.peer, connection);
    enter(connection);
    socket.once("close", () => {
      forget(connection);
      connection.closed();
    });
  }

  // Node would answer an expectation that it does not know by itself, and nobody would have counted the request. It need
  // not be met (RFC 9110, 10.1.1).
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    server.emit("request", request, response);
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const connection = bySocket.get(request.socket);
    // One that has just been cut may still have requests in what was read last.
    if (connection === undefined || !connections.has(connection)) return;
    if (connection.requests >= MOST_PIPELINED) {
      onCut("pipelining");
      forget(connection);
      connection.cut();
      return;
    }
    const span = connection.requestBegan();
    const { socket } = request;
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
      const connection = bySocket.get(request.socket);
      if (connection === undefined || !connections.has(connection)) return;
      const span = connection.requestBegan();
      socket.once("close", () => span.end());
      spans.set(request, span);
      upgrade(request, socket, head);
    });
  }

  return {
    spanOf: (request) => spans.get(request),
    all: () => connections,
    get count() {
      return connections.size;
    },
  };
}

function peerOf({ remoteAddress = "", remotePort = 0 }: Socket): string {
  return `${remoteAddress}|${remotePort}`;
}
