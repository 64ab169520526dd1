import {
  constants,
  createSecureServer,
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import type { ServerCertificate } from "@kindling/service";
import type { Clock } from "@kindling/outside";
import type { CallOf, IncomingCall } from "../calls/handle-call.ts";

export interface Http2ServerOptions {
  readonly tls: ServerCertificate | undefined;
  readonly clock: Clock;
  readonly connections: number;
  readonly connectionsPerClient: number;
  readonly callsPerConnection: number;
  /** How long a connection's handshake may take, and how long it may stay without its first call, milliseconds. */
  readonly firstCallMs: number;
  /** Carries out a call; never rejects. */
  readonly onCall: (call: IncomingCall) => Promise<CallOf>;
  readonly onCut: (reason: "connections" | "per-client" | "silent" | "useless-calls") => void;
}

/** An HTTP/2 server with its connections. */
export interface GrpcServer {
  readonly server: Http2Server;
  /** How many connections are open. */
  readonly size: number;
  /** Asks all clients to open a new connection for further calls. */
  goAway(): void;
  /** Ends all connections. */
  destroy(): void;
}

/** How much of one request may be under way before a driver takes it. */
const STREAM_WINDOW = 1024 * 1024;
const CONNECTION_WINDOW = 16 * 1024 * 1024;
/**
 * What one connection may cost. A client that resets calls as fast as it opens them, or sends endless settings, pings or
 * headers, loses its connection (CVE-2023-44487, CVE-2024-27983 and their kind); Node does the counting.
 */
const SESSION_LIMITS = {
  maxSessionMemory: 8,
  maxSettings: 32,
  maxHeaderListPairs: 64,
  maxOutstandingPings: 4,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
} as const;
/** People and notebooks cancel calls one by one. */
const MOST_USELESS = 200;
const USELESS_WINDOW_MS = 10_000;
const KEEP_ALIVE_MS = 60_000;
const LONGEST_HEADERS = 32 * 1024;

/** Makes a server for gRPC. Without a certificate it speaks HTTP/2 in clear text, as gRPC does on one machine. */
export function grpcServer(options: Http2ServerOptions): GrpcServer {
  const { tls, clock, connections, connectionsPerClient, callsPerConnection, firstCallMs, onCall, onCut } = options;
  const settings = {
    maxConcurrentStreams: callsPerConnection,
    initialWindowSize: STREAM_WINDOW,
    maxHeaderListSize: LONGEST_HEADERS,
    enablePush: false,
  };
  const server =
    tls === undefined
      ? createServer({ ...SESSION_LIMITS, settings })
      : (createSecureServer({
          ...SESSION_LIMITS,
          ...tlsOptions(tls),
          handshakeTimeout: firstCallMs,
          settings,
        }) as unknown as Http2Server);
  // Calls above the limit are refused unseen, and would never be counted.
  const mostUseless = Math.max(1, Math.min(MOST_USELESS, callsPerConnection - 1));
  const sockets = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  const ofClient = new Map<string, number>();

  // Sockets, because a client may never end its handshake.
  server.on("connection", (socket: Socket) => {
    const client = socket.remoteAddress ?? "";
    const own = (ofClient.get(client) ?? 0) + 1;
    if (sockets.size >= connections || own > connectionsPerClient) {
      onCut(own > connectionsPerClient ? "per-client" : "connections");
      socket.destroy();
      return;
    }
    sockets.add(socket);
    ofClient.set(client, own);
    // Clients whose machines have gone to sleep or away are noticed by this.
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.once("close", () => {
      sockets.delete(socket);
      const left = (ofClient.get(client) ?? 1) - 1;
      if (left === 0) ofClient.delete(client);
      else ofClient.set(client, left);
    });
  });
  server.on("session", (session) => {
    session.on("error", () => undefined);
    sessions.add(session);
    session.setLocalWindowSize(CONNECTION_WINDOW);
    const cancel = clock.after(firstCallMs, () => {
      onCut("silent");
      session.destroy();
    });
    session.once("stream", cancel);
    const client = session.socket.remoteAddress ?? "";
    const useless = new UselessCalls(session, { clock, most: mostUseless, onCut: () => onCut("useless-calls") });
    session.on("stream", (stream, headers) => void useless.watch(stream, onCall({ stream, headers, client })));
    session.once("close", () => {
      cancel();
      sessions.delete(session);
    });
  });
  server.on("sessionError", () => undefined);
  return {
    server,
    get size() {
      return sockets.size;
    },
    goAway() {
      for (const session of sessions) session.close();
    },
    destroy() {
      for (const session of sessions) session.destroy();
      // Those whose handshake has not ended have no session.
      for (const socket of sockets) socket.destroy();
    },
  };
}

interface UselessLimit {
  readonly clock: Clock;
  /** So many in ten seconds are too many. */
  readonly most: number;
  readonly onCut: () => void;
}

/**
 * Closes a connection whose client takes back call after call, or guesses tokens. Node answers no further calls of a connection
 * with many resets, but keeps it open, and reads what comes.
 */
class UselessCalls {
  readonly #session: ServerHttp2Session;
  readonly #limit: UselessLimit;
  #since: number;
  #count = 0;

  constructor(session: ServerHttp2Session, limit: UselessLimit) {
    this.#session = session;
    this.#limit = limit;
    this.#since = limit.clock.monotonic();
  }

  async watch(stream: ServerHttp2Stream, call: Promise<CallOf>): Promise<void> {
    const owner = await call;
    // Stock clients leave most answers before their last byte, but not before the first one.
    const isTakenBack = stream.rstCode === constants.NGHTTP2_CANCEL && !stream.headersSent;
    if (owner === "nobody" || isTakenBack) this.#add();
  }

  #add(): void {
    const { clock, most, onCut } = this.#limit;
    const now = clock.monotonic();
    if (now - this.#since > USELESS_WINDOW_MS) {
      this.#since = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count < most || this.#session.destroyed) return;
    onCut();
    this.#session.destroy();
  }
}

/** Clients that cannot speak HTTP/2 are refused in the handshake. */
export function tlsOptions({ certificate, key }: ServerCertificate): object {
  return { cert: certificate, key, minVersion: "TLSv1.2", allowHTTP1: false };
}
