import { readFile } from "node:fs/promises";
import { KindlingError, messageOf } from "@kindling/core-spec";

/**
 * Reads the certificates that drivers must trust.
 *
 * @throws KindlingError `FILE_UNREADABLE`, or `FILE_UNPARSABLE` for contents that must not be published
 */
export async function readCaFile(path: string): Promise<string> {
  let pem: string;
  try {
    pem = await readFile(path, "utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `tls.caFile: cannot read ${path}: ${messageOf(error)}`, {
      cause: error,
    });
  }
  if (!pem.includes("-----BEGIN CERTIFICATE-----")) {
    throw new KindlingError("FILE_UNPARSABLE", `tls.caFile: ${path} holds no certificate in PEM`);
  }
  // Everybody who may read ConfigMaps could read the private key.
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) {
    throw new KindlingError("FILE_UNPARSABLE", `tls.caFile: ${path} holds a private key`, {
      hint: "name a file that holds certificates and nothing else: it goes into ConfigMaps",
    });
  }
  return pem;
}
