import { once } from "node:events";
import { type Server, type Socket, connect, createServer } from "node:net";

/** Where a relay leads to. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Listens on an address and forwards connections to its targets in turn. */
export class Relay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #targets: readonly Target[];
  #next = 0;

  private constructor(targets: readonly Target[]) {
    this.#targets = targets;
    // Half-open, because each end may close its direction and still wait for an answer.
    this.#server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (socket) =>
      this.#accept(socket),
    );
    // Only the cluster keeps the process alive.
    this.#server.unref();
  }

  /** Undefined if it is not possible to listen on the address. */
  static async listen(host: string, port: number, targets: readonly Target[]): Promise<Relay | undefined> {
    const relay = new Relay(targets);
    try {
      relay.#server.listen({ host, port, exclusive: true });
      await once(relay.#server, "listening");
      return relay;
    } catch {
      return undefined;
    }
  }

  set targets(targets: readonly Target[]) {
    this.#targets = targets;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(incoming: Socket): void {
    const target = this.#targets[this.#next % Math.max(1, this.#targets.length)];
    this.#next += 1;
    this.#keep(incoming);
    if (target === undefined) {
      incoming.resetAndDestroy();
      return;
    }
    const outgoing = connect({ ...target, allowHalfOpen: true, noDelay: true });
    this.#keep(outgoing);
    incoming.on("error", () => outgoing.destroy());
    outgoing.on("error", () => incoming.destroy());
    incoming.on("close", () => outgoing.destroy());
    outgoing.on("close", () => incoming.destroy());
    outgoing.on("connect", () => {
      incoming.pipe(outgoing);
      outgoing.pipe(incoming);
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
  }
}
