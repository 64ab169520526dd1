import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import type { ServerCertificate } from "@kindling/service";
import type { Clock } from "@kindling/outside";
import type { CallOf, IncomingCall } from "../calls/handle-call.ts";
import { ERROR, Http2Error } from "../http2/frame.ts";
import { ServerConnection } from "../http2/server-connection.ts";
import { UselessCalls } from "./useless-calls.ts";

export interface GrpcServerOptions {
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
  readonly server: Server;
  /** How many connections are open. */
  readonly size: number;
  /** Shows another certificate to connections that are opened from now on. */
  renew(certificate: ServerCertificate): void;
  /** Asks all clients to open a new connection for further calls. */
  goAway(): void;
  /** Ends all connections. */
  destroy(): void;
}

/** How much of one request may be under way before a driver takes it. */
const STREAM_WINDOW = 1024 * 1024;
const CONNECTION_WINDOW = 16 * 1024 * 1024;
const KEEP_ALIVE_MS = 60_000;
const HTTP2 = "h2";

/** Makes a server for gRPC. Without a certificate it speaks HTTP/2 in clear text, as gRPC does on one machine. */
export function grpcServer(options: GrpcServerOptions): GrpcServer {
  const { tls, firstCallMs } = options;
  const sockets = new Set<Socket>();
  const connections = new Set<ServerConnection>();
  const serve = (socket: Socket): void => serveConnection(socket, connections, options);
  const admit = socketLimit(sockets, options);
  if (tls === undefined) {
    const server = createServer((socket) => {
      if (admit(socket)) serve(socket);
    });
    return served(server, { connections, sockets }, () => undefined);
  }
  const server = createTlsServer({ ...tlsOptions(tls), handshakeTimeout: firstCallMs }, (socket: TLSSocket) => {
    // A client that agrees on no protocol would not know what it is told.
    if (socket.alpnProtocol === HTTP2) serve(socket);
    else socket.destroy();
  });
  // Sockets, because a client may never end its handshake.
  server.on("connection", admit);
  server.on("tlsClientError", (_, socket) => socket.destroy());
  return served(server, { connections, sockets }, (renewed) => server.setSecureContext(tlsOptions(renewed)));
}

function served(
  server: Server,
  { connections, sockets }: { readonly connections: Set<ServerConnection>; readonly sockets: Set<Socket> },
  renew: (certificate: ServerCertificate) => void,
): GrpcServer {
  return {
    ...{ server, renew },
    get size() {
      return sockets.size;
    },
    goAway() {
      for (const connection of connections) connection.goAway();
    },
    destroy() {
      for (const connection of connections) connection.destroy();
      // Those whose handshake has not ended have no connection.
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Closes connections above the limits, and counts the others. */
function socketLimit(
  sockets: Set<Socket>,
  { connections, connectionsPerClient, onCut }: GrpcServerOptions,
): (socket: Socket) => boolean {
  const ofClient = new Map<string, number>();
  return (socket) => {
    const client = socket.remoteAddress ?? "";
    const own = (ofClient.get(client) ?? 0) + 1;
    if (sockets.size >= connections || own > connectionsPerClient) {
      onCut(own > connectionsPerClient ? "per-client" : "connections");
      socket.destroy();
      return false;
    }
    sockets.add(socket);
    ofClient.set(client, own);
    socket.setNoDelay(true);
    // Clients whose machines have gone to sleep or away are noticed by this.
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.once("close", () => {
      sockets.delete(socket);
      const left = (ofClient.get(client) ?? 1) - 1;
      if (left === 0) ofClient.delete(client);
      else ofClient.set(client, left);
    });
    return true;
  };
}

function serveConnection(
  socket: Socket,
  connections: Set<ServerConnection>,
  { clock, callsPerConnection, firstCallMs, onCall, onCut }: GrpcServerOptions,
): void {
  const client = socket.remoteAddress ?? "";
  /** Also those that were taken back, and whose work has not ended: a client cannot make more by taking them back. */
  let calls = 0;
  const useless = new UselessCalls({
    ...{ clock, callsPerConnection },
    onTooMany() {
      if (connection.isClosed) return;
      onCut("useless-calls");
      connection.destroy(
        new Http2Error(ERROR.ENHANCE_YOUR_CALM, "too many calls that were taken back or had no valid token"),
      );
    },
  });
  const connection = new ServerConnection({
    ...{ socket, clock, window: CONNECTION_WINDOW, streamWindow: STREAM_WINDOW },
    concurrentStreams: callsPerConnection,
    onStream(stream, headers) {
      noLongerSilent();
      if (calls >= callsPerConnection || connection.size > callsPerConnection) {
        connection.refuse(stream);
        return;
      }
      calls += 1;
      void onCall({ stream, headers, client }).then((owner) => {
        calls -= 1;
        useless.add(stream, owner);
      });
    },
    onClose() {
      noLongerSilent();
      connections.delete(connection);
    },
  });
  const noLongerSilent = clock.after(firstCallMs, () => {
    onCut("silent");
    connection.destroy();
  });
  connections.add(connection);
}

/** Clients that cannot speak HTTP/2 are refused in the handshake. */
function tlsOptions({ certificate, key }: ServerCertificate): object {
  return { cert: certificate, key, minVersion: "TLSv1.2", ALPNProtocols: [HTTP2] };
}
