import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { TlsOptions } from "@kindling/api-server";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { GatewayConfig } from "../config/gateway-config.ts";

/**
 * Reads and checks the files of TLS; undefined where plain HTTP is asked for.
 *
 * @throws KindlingError `FILE_UNREADABLE`, `FILE_UNPARSABLE`
 */
export async function readCertificate(config: GatewayConfig): Promise<TlsOptions | undefined> {
  const { "tls.certFile": certFile, "tls.keyFile": keyFile } = config;
  if (config["tls.plainHttp"] || certFile === undefined || keyFile === undefined) return undefined;
  const [certificate, key] = await Promise.all([read(certFile, "tls.certFile"), read(keyFile, "tls.keyFile")]);
  try {
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    const message = `${certFile} and ${keyFile} do not make a certificate: ${messageOf(error)}`;
    throw new KindlingError("FILE_UNPARSABLE", message, {
      hint: "both must be PEM, and the key that of the certificate",
    });
  }
  return { certificate, key };
}

async function read(path: string, key: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `${key}: cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
}
