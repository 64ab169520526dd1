import { readFile } from "node:fs/promises";
import { KindlingError, messageOf } from "@kindling/core-spec";

/**
 * Reads the certificates that drivers are to trust.
 *
 * @throws KindlingError `FILE_UNREADABLE`, or `FILE_UNPARSABLE` for what is not to be published
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
  // Whoever may read ConfigMaps would read it there.
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) {
    throw new KindlingError("FILE_UNPARSABLE", `tls.caFile: ${path} holds a private key`, {
      hint: "name a file that holds certificates and nothing else: it goes into ConfigMaps",
    });
  }
  return pem;
}
