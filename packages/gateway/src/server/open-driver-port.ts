import type { ApiServer } from "@kindling/api-server";
import { listening, type ServerCertificate } from "@kindling/service";
import type { GatewayConfig } from "../config/gateway-keys.ts";
import type { DriverConnections } from "../driver-api/connections/driver-connections.ts";

export interface DriverPortOptions {
  readonly server: ApiServer;
  readonly connections: DriverConnections;
  /** Undefined: drivers are served without TLS. */
  readonly tls: ServerCertificate | undefined;
}

/**
 * Begins to accept the connections of drivers.
 *
 * @returns the port
 * @throws KindlingError `CONF_INVALID`
 */
export async function openDriverPort(
  config: GatewayConfig,
  { server, connections, tls }: DriverPortOptions,
): Promise<number> {
  return await listening(config, "listen", (host, port) =>
    server.listen({
      ...{ host, port, tls },
      headersTimeoutMs: config["limits.headersTimeout"] * 1000,
      attach: (own, handlers) => connections.attach(own, handlers),
    }),
  );
}
