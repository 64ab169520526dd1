import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { watchFiles, type WatchedFiles } from "./watched-files.ts";

/** Where a service's certificate is, by the names of its settings. */
export interface CertificateFiles {
  /** Certificate chain as PEM. */
  readonly "tls.certFile": string | undefined;
  /** Its private key. */
  readonly "tls.keyFile": string | undefined;
  /** The authorities that sign clients' certificates. */
  readonly "tls.clientCaFile"?: string | undefined;
}

/** The contents of the files, as PEM. */
export interface ServerCertificate {
  readonly certificate: string;
  readonly key: string;
  readonly clientCa: string | undefined;
}

/**
 * Reads and checks the TLS files; undefined if none are set.
 *
 * @throws KindlingError `FILE_UNREADABLE`, `FILE_UNPARSABLE`
 */
export async function readCertificate(files: CertificateFiles): Promise<ServerCertificate | undefined> {
  const { "tls.certFile": certFile, "tls.keyFile": keyFile, "tls.clientCaFile": caFile } = files;
  if (certFile === undefined || keyFile === undefined) return undefined;
  const [certificate, key, clientCa] = await Promise.all([
    read(certFile, "tls.certFile"),
    read(keyFile, "tls.keyFile"),
    caFile === undefined ? undefined : read(caFile, "tls.clientCaFile"),
  ]);
  try {
    createSecureContext({ cert: certificate, key, ca: clientCa });
  } catch (error) {
    const message = `${certFile} and ${keyFile} do not make a certificate: ${messageOf(error)}`;
    throw new KindlingError("FILE_UNPARSABLE", message, {
      hint: "both must be PEM, and the key must belong to the certificate",
    });
  }
  return { certificate, key, clientCa };
}

export interface FollowOptions {
  readonly clock: Clock;
  readonly intervalSeconds: number;
  /** The access file, and how to read it again. */
  readonly access?: { readonly file: string | undefined; readonly reload: () => Promise<void> };
  /** Told when everything was read again; `undefined` if no TLS files are set. */
  readonly onRenewed: (certificate: ServerCertificate | undefined) => void;
  /** Told why changed files cannot be used; the contents that were read last stay in use. */
  readonly onFault: (error: unknown) => void;
}

/** Reads the files again whenever they change. */
export async function followCertificate(files: CertificateFiles, options: FollowOptions): Promise<WatchedFiles> {
  const { clock, intervalSeconds, access, onRenewed, onFault } = options;
  const paths = [files["tls.certFile"], files["tls.keyFile"], files["tls.clientCaFile"], access?.file];
  return await watchFiles(
    paths.filter((path) => path !== undefined),
    {
      ...{ clock, intervalSeconds },
      async onChange() {
        try {
          await access?.reload();
          onRenewed(await readCertificate(files));
        } catch (error) {
          onFault(error);
        }
      },
    },
  );
}

async function read(path: string, key: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `${key}: cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
}
