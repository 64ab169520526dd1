import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { programRunner } from "../run-program.ts";
import { type LocalSpark, sparkVersionOf } from "../spark/local-spark.ts";
import { explainFetch, get } from "./get.ts";
import { findSourceArchive, type SourceArchive } from "./source-archive.ts";

/** The progress of a download. */
export interface FetchProgress {
  readonly version: string;
  readonly state: "download" | "unpack";
  readonly received: number;
  /** Undefined if the server does not say. */
  readonly total: number | undefined;
}

export interface FetchOptions {
  /** The base of a simple index (PEP 503), such as `https://pypi.org/simple`. */
  readonly index: string;
  /** The folder for the versions, one folder for each. */
  readonly cacheFolder: string;
  /** Its PATH is used to find tar. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: FetchProgress) => void;
}

const STALL_MS = 60_000;
const UNPACK_MS = 20 * 60_000;
const PREFIX = ".fetching-";

/**
 * Downloads Spark from an index of Python packages: the source archive of pyspark, which contains all of Spark. It appears in
 * the cache only when the archive has the digest of the index and is completely unpacked.
 *
 * @param version `4.3.0`; `3.5` means the newest version with this prefix, undefined the newest of all
 * @throws KindlingError in words for the user; then nothing incomplete is left
 */
export async function fetchSpark(version: string | undefined, options: FetchOptions): Promise<LocalSpark> {
  const { index, cacheFolder, signal } = options;
  const archive = await findSourceArchive(index, version, signal);
  const home = join(cacheFolder, archive.version);
  const fetched: LocalSpark = { home, version: archive.version, origin: "cache" };
  if ((await sparkVersionOf(home)) !== undefined) return fetched;
  const work = await makeWorkFolder(cacheFolder);
  try {
    const file = join(work, "archive.tar.gz");
    await download(archive, file, options);
    await publish(await unpack(archive, file, work, options), home);
    return fetched;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Also removes what killed downloads have left. */
async function makeWorkFolder(cacheFolder: string): Promise<string> {
  try {
    await mkdir(cacheFolder, { recursive: true });
    for (const name of await readdir(cacheFolder)) {
      const [, pid] = new RegExp(`^\\${PREFIX}(\\d+)-`).exec(name) ?? [];
      if (pid !== undefined && !isAlive(Number(pid))) {
        await rm(join(cacheFolder, name), { recursive: true, force: true });
      }
    }
    return await mkdtemp(join(cacheFolder, `${PREFIX}${process.pid}-`));
  } catch (error) {
    throw new KindlingError("UNSUPPORTED", `cannot write to the cache: ${messageOf(error)}`, {
      hint: "set XDG_CACHE_HOME to a folder that can be written to, or SPARK_HOME to a Spark that is there",
      cause: error,
    });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function download(
  { version, url, sha256 }: SourceArchive,
  file: string,
  { clock, signal, onProgress }: FetchOptions,
): Promise<void> {
  const hash = createHash("sha256");
  const stalled = new AbortController();
  let cancelStall = clock.after(STALL_MS, () => stalled.abort());
  let received = 0;
  try {
    const response = await get(url, {}, AbortSignal.any([signal, stalled.signal]));
    if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`);
    const length = Number(response.headers.get("content-length") ?? "");
    const total = length > 0 ? length : undefined;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done): void {
        cancelStall();
        cancelStall = clock.after(STALL_MS, () => stalled.abort());
        hash.update(chunk);
        received += chunk.length;
        onProgress?.({ version, state: "download", received, total });
        done(null, chunk);
      },
    });
    await pipeline(Readable.fromWeb(response.body), count, createWriteStream(file));
    if (total !== undefined && received !== total) throw new Error(`it ended after ${received} of ${total} bytes`);
  } catch (error) {
    if (signal.aborted) throw new KindlingError("INTERRUPTED", `fetching Spark ${version} was interrupted`);
    const { why, ...advice } = stalled.signal.aborted
      ? { why: `nothing came for ${STALL_MS / 1000} s` }
      : explainFetch(error);
    throw new KindlingError("FILE_UNREADABLE", `cannot fetch Spark ${version}: ${why}`, { ...advice, cause: error });
  } finally {
    cancelStall();
  }
  if (hash.digest("hex") !== sha256) {
    throw new KindlingError("FILE_UNREADABLE", `Spark ${version} is damaged: the index gives another digest`, {
      hint: "try again; if it happens again, something between here and the index changes files",
    });
  }
}

async function unpack(
  { version }: SourceArchive,
  file: string,
  work: string,
  { env, onProgress }: FetchOptions,
): Promise<string> {
  onProgress?.({ version, state: "unpack", received: 0, total: undefined });
  try {
    await programRunner(env, UNPACK_MS)("tar", ["-xzf", file, "-C", work]);
    await rm(file);
    return await arrange(join(work, `pyspark-${version}`), join(work, "home"));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT" && (error as { path?: string }).path === "tar";
    const why = missing ? "there is no tar on the PATH" : (messageOf(error).trim().split("\n").at(-1) ?? "");
    throw new KindlingError("UNSUPPORTED", `cannot unpack Spark ${version}: ${why}`, { cause: error });
  }
}

/** Moves the parts of the source archive to their places in an installation of Spark. */
async function arrange(source: string, home: string): Promise<string> {
  await mkdir(join(home, "python"), { recursive: true });
  for (const name of await readdir(join(source, "deps"))) {
    // The archive has the examples in Python, and not those for the JVM.
    const place = name === "examples" ? "examples/src/main/python" : name;
    await mkdir(dirname(join(home, place)), { recursive: true });
    await rename(join(source, "deps", name), join(home, place));
  }
  for (const name of ["pyspark", "lib"]) await rename(join(source, name), join(home, "python", name));
  for (const folder of ["bin", "sbin"]) {
    for (const name of await readdir(join(home, folder))) await chmod(join(home, folder, name), 0o755);
  }
  return home;
}

/** Makes the folder appear under its name; another process may have been faster with the same version. */
async function publish(folder: string, home: string): Promise<void> {
  const version = await sparkVersionOf(folder);
  if (version === undefined) throw new KindlingError("UNSUPPORTED", "the package that was fetched contains no Spark");
  try {
    await rename(folder, home);
  } catch (error) {
    if ((await sparkVersionOf(home)) !== version) throw error;
  }
}
