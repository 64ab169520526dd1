import type { IncomingMessage, Server } from "node:http";
import type { ServerHandlers } from "@kindling/api-server";
import type { Clock } from "@kindling/outside";
import { type ConnectionGuard, guardConnections, type ReaderWatch, tcpQueues, watchReaders } from "@kindling/service";
import type { GatewayConfig } from "../../config/gateway-keys.ts";

export interface DriverConnectionsOptions {
  readonly config: Pick<
    GatewayConfig,
    "limits.connectionsPerClient" | "limits.minRate" | "limits.minRateWindow" | "limits.writeStall"
  >;
  /** The highest number of connections at once. */
  readonly most: number;
  readonly clock: Clock;
  /** Called with the reason when a connection was cut or refused. */
  readonly onCut: (reason: string) => void;
}

/**
 * The connections at the port for drivers. Until a driver has authenticated, its connection counts for its IP address, which
 * all pods of a node may share. After that it counts for the driver.
 */
export class DriverConnections {
  readonly #options: DriverConnectionsOptions;
  #guard: ConnectionGuard | undefined;
  #readers: ReaderWatch | undefined;

  constructor(options: DriverConnectionsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#guard?.count ?? 0;
  }

  /** Starts to limit the connections of a server. Call it before the server listens. */
  attach(server: Server, handlers: ServerHandlers): void {
    const { config, most, clock, onCut } = this.#options;
    const guard = guardConnections(server, handlers, {
      limits: {
        most,
        mostPerClient: config["limits.connectionsPerClient"] ?? Math.ceil(most / 2),
        isProxy: () => false,
      },
      ...{ clock, onCut },
      bodies: { minBytesPerSecond: config["limits.minRate"], windowSeconds: config["limits.minRateWindow"] },
    });
    this.#guard = guard;
    this.#readers = watchReaders({
      connections: () => guard.all(),
      clock,
      stallSeconds: config["limits.writeStall"],
      async queues() {
        const address = server.address();
        return typeof address === "object" && address !== null ? await tcpQueues(address.port) : undefined;
      },
      onCut: () => onCut("stalled"),
    });
  }

  /** A driver has authenticated with this request. */
  identified(request: IncomingMessage, driverUid: string): void {
    this.#guard?.spanOf(request)?.connection.identified(clientOf(driverUid));
  }

  /** Whether this driver has authenticated with an earlier request of the same connection. */
  isOf(request: IncomingMessage, driverUid: string): boolean {
    const connection = this.#guard?.spanOf(request)?.connection;
    return connection !== undefined && !connection.isStranger && connection.client === clientOf(driverUid);
  }

  /** Whether no driver has authenticated on the connection of this request. */
  isStranger(request: IncomingMessage): boolean {
    return this.#guard?.spanOf(request)?.connection.isStranger ?? true;
  }

  /** A watch begins; the result is called at its end. */
  watchBegan(request: IncomingMessage): () => void {
    return this.#guard?.spanOf(request)?.connection.streamBegan() ?? (() => undefined);
  }

  stop(): void {
    this.#readers?.close();
  }
}

function clientOf(driverUid: string): string {
  return `driver ${driverUid}`;
}
