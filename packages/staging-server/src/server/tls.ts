import { readFile } from "node:fs/promises";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import type { ServerOptions } from "node:https";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { ServerConfig } from "../config/server-config.ts";

/**
 * Reads and checks the files of TLS.
 *
 * @returns `undefined` where none is configured
 * @throws KindlingError `FILE_UNREADABLE`, `FILE_UNPARSABLE`; a server never starts half-way without TLS
 */
export async function tlsOptions(config: ServerConfig): Promise<ServerOptions | undefined> {
  const { "tls.certFile": certFile, "tls.keyFile": keyFile, "tls.clientCaFile": caFile } = config;
  if (certFile === undefined || keyFile === undefined) return undefined;
  const [cert, key, ca] = await Promise.all([
    read(certFile, "tls.certFile"),
    read(keyFile, "tls.keyFile"),
    caFile === undefined ? undefined : read(caFile, "tls.clientCaFile"),
  ]);
  const options: SecureContextOptions = {
    cert,
    key,
    ...(ca !== undefined && { ca }),
    minVersion: config["tls.minVersion"],
  };
  try {
    createSecureContext(options);
  } catch (error) {
    throw new KindlingError(
      "FILE_UNPARSABLE",
      `${certFile} and ${keyFile} do not make a certificate: ${messageOf(error)}`,
      {
        hint: "both must be PEM, and the key that of the certificate",
      },
    );
  }
  return {
    ...options,
    // Pods that download have no certificate but the bundle's secret: one is asked for, and looked at by the routes.
    requestCert: ca !== undefined,
    rejectUnauthorized: false,
  };
}

async function read(path: string, key: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `${key}: cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
}
