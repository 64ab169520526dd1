import { open, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { KindlingError, messageOf } from "@kindling/core-spec";
import { MOST_BYTES, parseManifests, type Manifest } from "./parse-manifests.ts";

interface ReadOptions {
  /** The folder that relative paths start from. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Called for repeated keys. */
  readonly tell: (notice: string) => void;
}

/**
 * The objects of a file; for `-`, those from the standard input; for a folder, those of the files directly in it, as in
 * `kubectl create -f`.
 *
 * @throws KindlingError `FILE_UNREADABLE`, `FILE_UNPARSABLE`, `INTERRUPTED`
 */
export async function readManifests(file: string, options: ReadOptions): Promise<Manifest[]> {
  const origin = file === "-" ? "the standard input" : file;
  const inFolder = file === "-" ? undefined : await manifestsIn(file, options.cwd);
  if (inFolder === undefined) return parseManifests(await textOf(file, origin, options), origin, options.tell);
  if (inFolder.length === 0)
    throw new KindlingError("FILE_UNREADABLE", `${origin}: the folder has no *.yaml, *.yml or *.json file`);
  const manifests: Manifest[] = [];
  for (const one of inFolder) manifests.push(...parseManifests(await textOf(one, one, options), one, options.tell));
  return manifests;
}

/** @returns undefined if it is no folder or cannot be read: then it is read as a file, and that gives the error */
async function manifestsIn(folder: string, cwd: string): Promise<readonly string[] | undefined> {
  const entries = await readdir(resolve(cwd, folder), { withFileTypes: true }).catch(() => undefined);
  return entries
    ?.filter((entry) => !entry.isDirectory() && /\.(?:ya?ml|json)$/.test(entry.name))
    .map(({ name }) => join(folder, name))
    .sort();
}

async function textOf(file: string, origin: string, { cwd, signal }: ReadOptions): Promise<string> {
  try {
    if (file === "-") return await wholeText(process.stdin, signal);
    const handle = await open(resolve(cwd, file));
    try {
      return await wholeText(handle.createReadStream({ autoClose: false }), signal);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (signal.aborted) throw new KindlingError("INTERRUPTED", "interrupted", { cause: error });
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw new KindlingError("FILE_UNREADABLE", `${origin} does not exist`, {
        hint: "correct the path; a relative one starts in the current folder",
        cause: error,
      });
    throw new KindlingError("FILE_UNREADABLE", `${origin}: ${messageOf(error)}`, { cause: error });
  }
}

async function wholeText(stream: Readable, signal: AbortSignal): Promise<string> {
  const stop = (): void => void stream.destroy(new Error("interrupted"));
  signal.addEventListener("abort", stop, { once: true });
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES} bytes, and no API server takes so much`);
      chunks.push(chunk);
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return Buffer.concat(chunks).toString("utf8");
}
