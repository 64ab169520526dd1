import type { ServerOptions } from "node:https";
import type { ServerCertificate } from "@kindling/service";
import type { ServerConfig } from "../config/server-config.ts";

/** The TLS options of the server for a certificate. */
export function tlsOptions(
  { certificate, key, clientCa }: ServerCertificate,
  config: Pick<ServerConfig, "tls.minVersion">,
): ServerOptions {
  return {
    ...{ cert: certificate, key },
    ...(clientCa !== undefined && { ca: clientCa }),
    minVersion: config["tls.minVersion"],
    // Pods that download have the bundle's secret and no certificate. So a certificate is only requested, and the routes
    // check it.
    requestCert: clientCa !== undefined,
    rejectUnauthorized: false,
  };
}
