import type { Socket } from "node:net";
import type { ClientConnection } from "./connection.ts";

/** A server's connections, and whose they are. */
export interface ConnectionBook {
  readonly all: ReadonlySet<ClientConnection>;
  /** The connection of a request's socket; `undefined` if it is in the book no more. */
  of(socket: Socket): ClientConnection | undefined;
  ofClient(client: string): ReadonlySet<ClientConnection> | undefined;
  /** @param socket that it was opened with */
  enter(connection: ClientConnection, socket: Socket): void;
  /** The handshake of TLS is over: requests come over this object from now on. */
  secured(socket: Socket): void;
  /** It no longer counts for a client; it is to be {@link counted} for another one. */
  uncounted(connection: ClientConnection, client: string): void;
  /** It counts for the client that it is of by now. */
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

/** Tells a connection from all others that are open, also where two objects stand for it. */
export function peerOf({ remoteAddress = "", remotePort = 0 }: Socket): string {
  return `${remoteAddress}|${remotePort}`;
}
