import { once } from "node:events";
import { type Server, createServer } from "node:net";
import { KindlingError } from "@kindling/core-spec";

/** The reservation of a range is a server on an address of it that no pod gets, with an unused port. */
const CLAIM = { address: "255.254", port: 47_470 };
const FIRST = 64;
const LAST = 126;

/** Loopback addresses that belong to one cluster: a /16 for pods and the next one for services. */
export class AddressRange {
  /** The first two numbers of the pods' addresses. */
  readonly pods: string;
  /** The first two numbers of the services' addresses. */
  readonly services: string;
  readonly #reservation: Server;
  readonly #used = new Set<number>();
  #last = 0;

  private constructor(first: number, reservation: Server) {
    this.pods = `127.${first}`;
    this.services = `127.${first + 1}`;
    this.#reservation = reservation;
  }

  /**
   * Reserves a range for this process; the reservation ends with the process, no matter how it ends.
   *
   * @param wanted the first two numbers, such as `127.64`. Default: the first free range
   * @throws KindlingError if it is taken
   */
  static async reserve(wanted: string | undefined): Promise<AddressRange> {
    if (wanted !== undefined) {
      const first = Number(/^127\.(\d{1,3})$/.exec(wanted)?.[1]);
      if (!(first >= 1 && first <= 254)) {
        const message = `the addresses ${JSON.stringify(wanted)} are not the first two numbers of loopback addresses`;
        throw new KindlingError("ARGUMENT_INVALID", message, { hint: "write for example 127.64" });
      }
      const reservation = await tryReserve(first);
      if (reservation !== undefined) return new AddressRange(first, reservation);
      const hint = "choose others, or none for the first that are free";
      throw new KindlingError("OBJECT_CONFLICT", `the addresses ${wanted}.* are used by another cluster`, { hint });
    }
    for (let first = FIRST; first < LAST; first += 2) {
      const reservation = await tryReserve(first);
      if (reservation !== undefined) return new AddressRange(first, reservation);
    }
    const message = `no loopback addresses from 127.${FIRST} to 127.${LAST} can be had`;
    throw new KindlingError("UNSUPPORTED", message, { hint: "end clusters that are not needed any more" });
  }

  /** An address for a pod. Returned addresses are used again as late as possible. */
  take(): string {
    for (;;) {
      this.#last = (this.#last + 1) % 0xff00;
      const low = this.#last & 0xff;
      if (low === 0 || low === 0xff || this.#used.has(this.#last)) continue;
      this.#used.add(this.#last);
      return `${this.pods}.${this.#last >> 8}.${low}`;
    }
  }

  giveBack(address: string): void {
    const [, , high, low] = address.split(".").map(Number);
    this.#used.delete(((high ?? 0) << 8) | (low ?? 0));
  }

  async release(): Promise<void> {
    await new Promise<void>((resolve) => void this.#reservation.close(() => resolve()));
  }
}

async function tryReserve(first: number): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  server.unref();
  try {
    server.listen({ host: `127.${first}.${CLAIM.address}`, port: CLAIM.port, exclusive: true });
    await once(server, "listening");
    return server;
  } catch {
    return undefined;
  }
}

/** Whether it is possible to listen on ports below 1024 of an address. */
export async function canListenLow(address: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ host: address, port: 443, exclusive: true });
    await once(server, "listening");
  } catch {
    return false;
  }
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return true;
}
