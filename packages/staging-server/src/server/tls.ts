import type { ServerOptions } from "node:https";
import type { ServerCertificate } from "@kindling/service";
import type { ServerConfig } from "../config/server-config.ts";

/** How the server speaks TLS with a certificate. */
export function tlsOptions(
  { certificate, key, clientCa }: ServerCertificate,
  config: Pick<ServerConfig, "tls.minVersion">,
): ServerOptions {
  return {
    ...{ cert: certificate, key },
    ...(clientCa !== undefined && { ca: clientCa }),
    minVersion: config["tls.minVersion"],
    // Pods that download have no certificate but the bundle's secret: one is asked for, and looked at by the routes.
    requestCert: clientCa !== undefined,
    rejectUnauthorized: false,
  };
}
