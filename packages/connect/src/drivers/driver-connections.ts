import { type ClientHttp2Session, connect } from "node:http2";
import { GrpcError } from "../grpc/grpc-status.ts";

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
/** So large that one slow client cannot hold up the others of its driver: the window of each call is the limit. */
const CONNECTION_WINDOW = 2 ** 31 - 1;
/** Each frame costs the same time, so large answers come in large ones. */
const LONGEST_FRAME = 1024 * 1024;
const KEEP_ALIVE_MS = 30_000;

/** Connections to drivers: one for each, which is opened when it is needed and shared by all calls. */
export class DriverConnections {
  readonly #sessions = new Map<string, ClientHttp2Session>();

  /** A connection that is open, or being opened: calls wait for it by themselves. */
  to(address: DriverAddress): ClientHttp2Session {
    const authority = authorityOf(address);
    const open = this.#sessions.get(authority);
    if (open !== undefined && !open.closed && !open.destroyed) return open;
    const session = connect(`http://${authority}`, {
      settings: { initialWindowSize: STREAM_WINDOW, maxFrameSize: LONGEST_FRAME, enablePush: false },
    });
    this.#sessions.set(authority, session);
    const forget = (): void => {
      if (this.#sessions.get(authority) === session) this.#sessions.delete(authority);
    };
    session.once("connect", (_, socket) => {
      session.setLocalWindowSize(CONNECTION_WINDOW);
      // Not pings of HTTP/2: servers of gRPC close connections that have more than one in five minutes.
      socket.setKeepAlive(true, KEEP_ALIVE_MS);
    });
    // The streams tell their calls what happened. Without a listener, the error would end the process.
    session.on("error", forget);
    session.on("goaway", forget);
    session.on("close", forget);
    return session;
  }

  /** Breaks the calls to a driver off that is there no more: its node may be gone without a word. */
  drop(address: DriverAddress): void {
    this.#sessions.get(authorityOf(address))?.destroy();
  }

  close(): void {
    for (const session of this.#sessions.values()) session.destroy();
    this.#sessions.clear();
  }
}

function authorityOf({ host, port }: DriverAddress): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The error of a call whose driver cannot be reached, or is there no more. Clients try again, and attach to what still runs. */
export function driverGone(cause: unknown): GrpcError {
  return new GrpcError("UNAVAILABLE", "the connection to the session's driver broke", { cause });
}
