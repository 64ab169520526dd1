import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { rootCertificates } from "node:tls";
import type { CommandContext } from "@kindling/command-line";
import { KindlingError, messageOf } from "@kindling/core-spec";

/** Which certificates a server's must be signed by. */
export interface TrustedRoots {
  /** In PEM; `undefined` means those that Node and clients know already. */
  readonly pem: string | undefined;
  /** The file with them, for clients of gRPC; `undefined` if they need none. */
  file(): Promise<string | undefined>;
}

/**
 * The certificates in the file of the command line, or else those that are known everywhere and those of the installation.
 *
 * @param ca of the installation, in PEM
 * @throws KindlingError `FILE_UNREADABLE`, `FILE_UNPARSABLE`
 */
export async function trustedRoots(
  given: string | undefined,
  ca: string | undefined,
  { outside }: CommandContext,
): Promise<TrustedRoots> {
  if (given !== undefined) {
    const path = resolve(outside.cwd, given);
    return { pem: await certificatesIn(path, given), file: () => Promise.resolve(path) };
  }
  if (ca === undefined) return { pem: undefined, file: () => Promise.resolve(undefined) };
  // gRPC takes one file instead of all that it knows; an address behind a load balancer may have a public certificate.
  const pem = `${[...rootCertificates, ca.trim()].join("\n")}\n`;
  return { pem, file: () => keptFile(pem, cacheFolder(outside.env)) };
}

async function certificatesIn(path: string, given: string): Promise<string> {
  let pem: string;
  try {
    pem = await readFile(path, "utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `--ca-file: cannot read ${given}: ${messageOf(error)}`, {
      cause: error,
    });
  }
  if (pem.includes("-----BEGIN CERTIFICATE-----")) return pem;
  throw new KindlingError("FILE_UNPARSABLE", `--ca-file ${given}: it holds no certificate in PEM`);
}

/** A file that stays, because the shell goes on when this command has ended. Its name tells its content. */
async function keptFile(pem: string, folder: string): Promise<string> {
  const path = join(folder, `connect-roots-${createHash("sha256").update(pem).digest("hex").slice(0, 16)}.pem`);
  try {
    if ((await readFile(path, "utf8").catch(() => "")) === pem) return path;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const partial = `${path}.${process.pid}`;
    await writeFile(partial, pem, { mode: 0o600 });
    await rename(partial, path);
    return path;
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `${path} cannot be written: ${messageOf(error)}`, {
      hint: "it would have the certificates of the installation, which clients must trust; --ca-file names another file",
      cause: error,
    });
  }
}

function cacheFolder(env: CommandContext["outside"]["env"]): string {
  const { XDG_CACHE_HOME: cache = "" } = env;
  return join(isAbsolute(cache) ? cache : join(homedir(), ".cache"), "kindling");
}
