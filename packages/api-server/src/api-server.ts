import { type Server, createServer } from "node:http";
import { type Server as TlsServer, createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { SecureContextOptions } from "node:tls";
import { handleRequest } from "./routes/handle-request.ts";
import { handleUpgrade } from "./routes/handle-upgrade.ts";
import { nonResourceRoutes } from "./routes/non-resource.ts";
import type { Service, ServiceOptions } from "./routes/service.ts";

/** The server's certificate, and that of the authority whose clients it knows. */
export interface TlsOptions {
  /** PEM, with what stands between it and its authority. */
  readonly certificate: string;
  readonly key: string;
  /** Clients are asked for a certificate of this authority, and may have none; without it they are not asked. */
  readonly clientAuthority?: string;
}

export interface ListenOptions {
  /** 127.0.0.1 */
  readonly host?: string;
  /** Any free one. */
  readonly port?: number;
  /** Plain HTTP. */
  readonly tls?: TlsOptions | undefined;
  /** How many connections there may be; further ones are closed at once. Any number. */
  readonly mostConnections?: number | undefined;
}

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
  async listen({ host = "127.0.0.1", port = 0, tls, mostConnections }: ListenOptions = {}): Promise<number> {
    const server =
      tls === undefined
        ? createServer()
        : createTlsServer({
            ...secureContext(tls),
            requestCert: tls.clientAuthority !== undefined,
            // Clients without a certificate may have a token.
            rejectUnauthorized: false,
          });
    if (mostConnections !== undefined) server.maxConnections = mostConnections;
    server.on("request", (request, response) => void handleRequest(this.#service, request, response));
    server.on("upgrade", (request, socket, head) => void handleUpgrade(this.#service, request, socket, head));
    // Watches are quiet for long and bodies may be slow: the server's own limits would cut both.
    server.requestTimeout = 0;
    server.keepAliveTimeout = 90_000;
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
   * Has another certificate from now on; connections that are open stay.
   *
   * @throws the error of `tls.createSecureContext` if they are no certificate and its key; then the old one stays.
   */
  renewCertificate(tls: TlsOptions): void {
    if (this.#server !== undefined && "setSecureContext" in this.#server) {
      this.#server.setSecureContext(secureContext(tls));
    }
  }

  /** Ends the watches in good order, then all connections, and stops to listen. */
  async close(): Promise<void> {
    await this.#closeListener(() => this.endConnections());
  }

  /** Ends the watches in good order, then all connections that are open; the server goes on. */
  endConnections(): void {
    for (const end of [...this.#watches]) end();
    for (const socket of this.#sockets) socket.destroySoon();
  }

  /** Cuts all connections at once and stops to listen, as a crash would. */
  async crash(): Promise<void> {
    await this.#closeListener(() => this.resetConnections());
    this.#watches.clear();
  }

  /** Cuts all connections with a reset; the server goes on. */
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

function secureContext({ certificate, key, clientAuthority }: TlsOptions): SecureContextOptions {
  return { cert: certificate, key, ...(clientAuthority === undefined ? {} : { ca: clientAuthority }) };
}
