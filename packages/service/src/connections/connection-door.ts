import type { Socket } from "node:net";
import { chooseVictims } from "./choose-victims.ts";
import { clientOfAddress } from "./client-address.ts";
import { peerOf, type ConnectionBook } from "./connection-book.ts";
import { ClientConnection } from "./connection.ts";
import type { CutReason, GuardOptions } from "./guard-options.ts";

/** Accepts connections, and closes them to make room. */
export interface ConnectionDoor {
  /** A socket was just connected: it is accepted, if necessary in place of others, or it is refused. */
  connected(socket: Socket): void;
  cut(connection: ClientConnection, reason: CutReason): void;
}

export function connectionDoor(book: ConnectionBook, options: Omit<GuardOptions, "bodies">): ConnectionDoor {
  const { limits, clock, onCut } = options;
  const now = (): number => clock.monotonic();

  function cut(connection: ClientConnection, reason: CutReason): void {
    onCut(reason);
    book.forget(connection);
    connection.cut();
  }

  function makeRoom(among: ReadonlySet<ClientConnection>, reason: CutReason): boolean {
    const of = (client: string): number => book.ofClient(client)?.size ?? 0;
    const victims = chooseVictims({ candidates: among, of }, now());
    for (const victim of victims) cut(victim, reason);
    return victims.length > 0;
  }

  /** A client was identified, and may now have more connections than allowed. */
  function moved(connection: ClientConnection, from: string, to: string): void {
    if (!book.all.has(connection)) return;
    book.uncounted(connection, from);
    const others = book.ofClient(to);
    if (others !== undefined && others.size >= limits.mostPerClient) makeRoom(others, "per-client");
    book.counted(connection);
  }

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
    book.enter(connection, socket);
    socket.once("close", () => {
      book.forget(connection);
      connection.closed();
    });
  }

  return {
    connected(socket) {
      const { remoteAddress } = socket;
      // It is gone already.
      if (remoteAddress === undefined) {
        socket.destroy();
        return;
      }
      const isProxy = limits.isProxy(remoteAddress);
      const client = `address ${clientOfAddress(remoteAddress)}`;
      const others = book.ofClient(client);
      const hasShare = others !== undefined && others.size >= limits.mostPerClient && !isProxy;
      if (hasShare && !makeRoom(others, "per-client")) turnAway(socket, "per-client");
      else if (book.all.size >= limits.most && !makeRoom(book.all, "for-newcomer")) turnAway(socket, "full");
      else admit(socket, client, isProxy);
    },
    cut,
  };
}
