import { type Server, createServer } from "node:http";
import { type Server as TlsServer, createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { handleRequest } from "./routes/handle-request.ts";
import { handleUpgrade } from "./routes/handle-upgrade.ts";
import { nonResourceRoutes } from "./routes/non-resource.ts";
import type { Service, ServiceOptions } from "./routes/service.ts";

/** Certificates of the server, and of the authority whose clients it knows. */
export interface TlsOptions {
  readonly certificate: string;
  readonly key: string;
  readonly clientAuthority: string;
}

export interface ListenOptions {
  /** 127.0.0.1 */
  readonly host?: string;
  /** Any free one. */
  readonly port?: number;
  /** Plain HTTP. */
  readonly tls?: TlsOptions | undefined;
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
  async listen({ host = "127.0.0.1", port = 0, tls }: ListenOptions = {}): Promise<number> {
    const server =
      tls === undefined
        ? createServer()
        : createTlsServer({
            cert: tls.certificate,
            key: tls.key,
            ca: tls.clientAuthority,
            requestCert: true,
            // Clients without a certificate may have a token.
            rejectUnauthorized: false,
          });
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

  /** Ends the watches in good order, then all connections, and stops to listen. */
  async close(): Promise<void> {
    for (const end of [...this.#watches]) end();
    await this.#closeListener(() => {
      for (const socket of this.#sockets) socket.destroySoon();
    });
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
