import { type IncomingMessage, type RequestListener, type Server, createServer } from "node:http";
import { type Server as TlsServer, createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { SecureContextOptions } from "node:tls";
import { handleRequest } from "./routes/handle-request.ts";
import { handleUpgrade } from "./routes/handle-upgrade.ts";
import { nonResourceRoutes } from "./routes/non-resource.ts";
import type { Service, ServiceOptions } from "./routes/service.ts";

/** The server's certificate, and that of the authority for clients' certificates. */
export interface TlsOptions {
  /** PEM, with the intermediate certificates. */
  readonly certificate: string;
  readonly key: string;
  /** Clients are asked for a certificate of this authority, but need not have one. Without it they are not asked. */
  readonly clientAuthority?: string;
}

/** The handlers of requests, and of requests for a WebSocket. */
export interface ServerHandlers {
  readonly request: RequestListener;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

export interface ListenOptions {
  /** 127.0.0.1 */
  readonly host?: string;
  /** Any free one. */
  readonly port?: number;
  /** Plain HTTP. */
  readonly tls?: TlsOptions | undefined;
  /** How long the TLS handshake, and the headers of a request, may take, in milliseconds. 30,000. */
  readonly headersTimeoutMs?: number | undefined;
  /**
   * Connects the server with the handlers. It can check each connection and request first, for example to limit their number.
   * Each request must go to its handler at once.
   */
  readonly attach?: ((server: Server, handlers: ServerHandlers) => void) | undefined;
}

const HEADERS_TIMEOUT_MS = 30_000;
// The largest body has 3 MiB, so a client must send about 10 KiB per second.
const REQUEST_TIMEOUT_MS = 300_000;
// Room for a token of 16 KiB, which is more than a cluster issues, and for the other headers.
const MOST_HEADER_BYTES = 32 * 1024;
// A client that disappears without closing, such as a node that loses its power, is found within minutes, even if nothing is
// sent.
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelay: 60_000 };

/** A server of Kubernetes' REST: listens, keeps track of connections and open watches, and ends them. */
export class ApiServer {
  readonly #service: Service;
  readonly #sockets = new Set<Socket>();
  readonly #watches = new Set<() => void>();
  #server: Server | TlsServer | undefined;

  constructor(options: ServiceOptions) {
    this.#service = {
      ...options,
      nonResource: nonResourceRoutes(options),
      onShutdown: (end) => {
        this.#watches.add(end);
        return () => this.#watches.delete(end);
      },
    };
  }

  /**
   * Starts to listen and returns the port.
   *
   * @throws the error of `listen`, such as EADDRINUSE.
   */
  async listen(options: ListenOptions = {}): Promise<number> {
    const { host = "127.0.0.1", port = 0, attach = attachDirectly } = options;
    const server = makeServer(options);
    attach(server, {
      request: (request, response) => void handleRequest(this.#service, request, response),
      upgrade: (request, socket, head) => void handleUpgrade(this.#service, request, socket, head),
    });
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, () => {
        server.off("error", reject);
        resolve();
      });
    });
    this.#server = server;
    return (server.address() as AddressInfo).port;
  }

  /**
   * Uses another certificate from now on; open connections stay.
   *
   * @throws the error of `tls.createSecureContext` if they are no certificate and its key; then the old one stays.
   */
  renewCertificate(tls: TlsOptions): void {
    if (this.#server !== undefined && "setSecureContext" in this.#server) {
      this.#server.setSecureContext(secureContext(tls));
    }
  }

  /** Ends the watches properly, then all connections, and stops listening. */
  async close(): Promise<void> {
    await this.#closeListener(() => this.endConnections());
  }

  /** Ends the watches properly, then all open connections; the server continues. */
  endConnections(): void {
    for (const end of [...this.#watches]) end();
    for (const socket of this.#sockets) socket.destroySoon();
  }

  /** Cuts all connections at once and stops listening, like a crash. */
  async crash(): Promise<void> {
    await this.#closeListener(() => this.resetConnections());
    this.#watches.clear();
  }

  /** Cuts all connections with a reset; the server continues. */
  resetConnections(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Cuts one client's connection with a reset. Under TLS only the socket below it can be reset. */
  resetConnection(remotePort: number | undefined): void {
    for (const socket of this.#sockets) if (socket.remotePort === remotePort) socket.resetAndDestroy();
  }

  async #closeListener(closeConnections: () => void): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      closeConnections();
    });
  }
}

function makeServer({ tls, headersTimeoutMs = HEADERS_TIMEOUT_MS }: ListenOptions): Server | TlsServer {
  const options = {
    ...KEEP_ALIVE,
    maxHeaderSize: MOST_HEADER_BYTES,
    headersTimeout: headersTimeoutMs,
    // This time-out ends with the last byte of a request, so it does not affect watches, which may be quiet for long.
    requestTimeout: Math.max(REQUEST_TIMEOUT_MS, headersTimeoutMs),
    keepAliveTimeout: 90_000,
    // Node checks for late requests every 30 s by default.
    connectionsCheckingInterval: Math.max(100, Math.min(headersTimeoutMs / 4, 5_000)),
  };
  if (tls === undefined) return createServer(options);
  return createTlsServer({
    ...options,
    ...secureContext(tls),
    handshakeTimeout: headersTimeoutMs,
    requestCert: tls.clientAuthority !== undefined,
    // Clients without a certificate may have a token.
    rejectUnauthorized: false,
  });
}

function attachDirectly(server: Server, { request, upgrade }: ServerHandlers): void {
  server.on("request", request);
  server.on("upgrade", upgrade);
}

function secureContext({ certificate, key, clientAuthority }: TlsOptions): SecureContextOptions {
  return { cert: certificate, key, ...(clientAuthority === undefined ? {} : { ca: clientAuthority }) };
}
