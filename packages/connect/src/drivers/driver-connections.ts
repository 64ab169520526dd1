import type { Clock } from "@kindling/outside";
import { GrpcError } from "../grpc/grpc-status.ts";
import { ClientConnection } from "../http2/client-connection.ts";
import type { Fields } from "../hpack/static-table.ts";
import { LARGEST_WINDOW } from "../http2/frame.ts";
import type { Http2Stream } from "../http2/http2-stream.ts";

/** An address that speaks HTTP/2 without TLS. */
export interface DriverAddress {
  readonly host: string;
  readonly port: number;
}

/** A driver that calls go to. */
export interface CalledDriver extends DriverAddress {
  /** What the driver wants as the bearer token, if it asks for one. */
  readonly token: string | undefined;
}

/** How much of one call's answer may wait here for a slow client. */
const STREAM_WINDOW = 1024 * 1024;

/** Connections to drivers: one for each, which is opened when it is needed and shared by all calls. */
export class DriverConnections {
  readonly #clock: Clock;
  readonly #open = new Map<string, ClientConnection>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A connection that is open, or being opened: calls wait for it by themselves. */
  #to(address: DriverAddress): ClientConnection {
    const authority = authorityOf(address);
    const open = this.#open.get(authority);
    if (open?.isUsable === true) return open;
    const connection = new ClientConnection({
      ...{ host: address.host, port: address.port, clock: this.#clock, streamWindow: STREAM_WINDOW },
      // One slow client cannot hold up the others of its driver: the window of each call is the limit.
      window: LARGEST_WINDOW,
      onClose: () => {
        if (this.#open.get(authority) === connection) this.#open.delete(authority);
      },
    });
    this.#open.set(authority, connection);
    return connection;
  }

  /**
   * Makes a call to a driver; its body is written afterwards.
   *
   * @param headers those of the call itself
   */
  call(driver: CalledDriver, path: string, headers: Fields): Http2Stream {
    return this.#to(driver).request([
      [":method", "POST"],
      [":scheme", "http"],
      [":authority", authorityOf(driver)],
      [":path", path],
      ...headers,
      ...(driver.token === undefined ? [] : [["authorization", `Bearer ${driver.token}`] as const]),
      // Answers pass by unread, so the client must be able to read what the driver sends.
      ["te", "trailers"],
    ]);
  }

  /** Breaks the calls to a driver off that is there no more: its node may be gone without a word. */
  drop(address: DriverAddress): void {
    this.#open.get(authorityOf(address))?.destroy();
  }

  close(): void {
    for (const connection of this.#open.values()) connection.destroy();
  }
}

/** The name of an address, as calls say it and by which it is known here. */
function authorityOf({ host, port }: DriverAddress): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The error of a call whose driver cannot be reached, or is there no more. Clients try again, and attach to what still runs. */
export function driverGone(cause: unknown): GrpcError {
  return new GrpcError("UNAVAILABLE", "the connection to the session's driver broke", { cause });
}
