import type { Socket } from "node:net";
import type { ClientConnection } from "./connection.ts";

/** A server's connections, and their clients. */
export interface ConnectionBook {
  readonly all: ReadonlySet<ClientConnection>;
  /** The connection of a request's socket; `undefined` if it is no longer in the book. */
  of(socket: Socket): ClientConnection | undefined;
  ofClient(client: string): ReadonlySet<ClientConnection> | undefined;
  /** @param socket the socket with which it was opened */
  enter(connection: ClientConnection, socket: Socket): void;
  /** The TLS handshake is over: requests come over this object from now on. */
  secured(socket: Socket): void;
  /** It no longer counts for this client; {@link counted} must be called for the next one. */
  uncounted(connection: ClientConnection, client: string): void;
  /** It counts for its current client. */
  counted(connection: ClientConnection): void;
  forget(connection: ClientConnection): void;
}

export function connectionBook(): ConnectionBook {
  const connections = new Set<ClientConnection>();
  const bySocket = new WeakMap<Socket, ClientConnection>();
  const byPeer = new Map<string, ClientConnection>();
  const byClient = new Map<string, Set<ClientConnection>>();

  function counted(connection: ClientConnection): void {
    const { client } = connection;
    byClient.set(client, (byClient.get(client) ?? new Set()).add(connection));
  }

  function uncounted(connection: ClientConnection, client: string): void {
    const others = byClient.get(client);
    others?.delete(connection);
    if (others?.size === 0) byClient.delete(client);
  }

  return {
    all: connections,
    of(socket) {
      const connection = bySocket.get(socket);
      return connection !== undefined && connections.has(connection) ? connection : undefined;
    },
    ofClient: (client) => byClient.get(client),
    enter(connection, socket) {
      connections.add(connection);
      bySocket.set(socket, connection);
      byPeer.set(connection.peer, connection);
      counted(connection);
    },
    secured(socket) {
      const connection = byPeer.get(peerOf(socket));
      if (connection === undefined) return;
      connection.secured(socket);
      bySocket.set(socket, connection);
    },
    uncounted,
    counted,
    forget(connection) {
      if (!connections.delete(connection)) return;
      if (byPeer.get(connection.peer) === connection) byPeer.delete(connection.peer);
      uncounted(connection, connection.client);
    },
  };
}

/** Identifies an open connection, also if there are two socket objects for it. */
export function peerOf({ remoteAddress = "", remotePort = 0 }: Socket): string {
  return `${remoteAddress}|${remotePort}`;
}
