import { lstat, mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { KindlingError, messageOf } from "@kindling/core-spec";
import { systemClock } from "@kindling/outside";
import { digestHex, parseDigest, type Digest } from "@kindling/staging-client";
import { isFull } from "../../errors/store-error.ts";
import { damagedFiles, setObstacleAside, type DamagedFiles, type DamagedFilesOptions } from "./damaged-files.ts";
import { durableFolders, syncDirectory, type DurableFolders } from "./durable-folders.ts";
import { checkFormat } from "./format-file.ts";
import { spaceReserve } from "./space-reserve.ts";

/*
 *   format.json           the version of this layout
 *   lock, lock.*          the server that is using it
 *   blobs/<2 hex>/<62 hex>  on disk for good if it is sealed (blob-seal.ts), else perhaps not yet flushed
 *   blobs/<2 hex>/<62 hex>~ the earlier file of a blob that was uploaded again, until the new one is on disk for good
 *   ingest/<id>           bytes that are still arriving
 *   meta/<collection>/<key>.json
 *   meta/.tmp/            documents that are still being written
 *   damaged/              damaged files and documents, for people to look at
 *   reserve               room that is given up when the disk is full, so that deletions can still be recorded
 *
 * All other files are left alone.
 */

const RESERVE = "reserve";

export interface Layout {
  readonly root: string;
  readonly format: string;
  readonly blobs: string;
  readonly ingest: string;
  readonly meta: string;
  readonly reserve: string;
  readonly folders: DurableFolders;
  /** The time until which an older version sealed blobs, in ms since the epoch; 0 if none has. */
  readonly oldSealsUntil: number;
  readonly damaged: DamagedFiles;
  blob(digest: Digest): string;
  /** The directory that holds a blob. */
  blobFolder(digest: Digest): string;
  /** The earlier file of a blob that was uploaded again. */
  previousBlob(digest: Digest): string;
  ingestFile(id: string): string;
}

/** The digest whose blob is at `blobs/<folder>/<name>`; `undefined` if this is no blob. */
export function blobDigest(folder: string, name: string): Digest | undefined {
  return folder.length === 2 ? parseDigest(`sha256:${folder}${name}`) : undefined;
}

/**
 * Makes the folder itself, which is needed for the lock.
 *
 * @throws KindlingError `CONF_INVALID` for a folder that cannot be used
 */
export async function makeDataFolder(root: string): Promise<void> {
  await usable(root, async () => {
    if (await makeFolder(root)) await syncDirectory(dirname(root));
  });
}

/**
 * Makes or checks a data folder.
 *
 * @throws KindlingError `CONF_INVALID` for a folder that cannot be used, or is of a newer version
 */
export async function openLayout(root: string, options: Partial<DamagedFilesOptions> = {}): Promise<Layout> {
  const { clock = systemClock } = options;
  const damaged = join(root, "damaged");
  const format = join(root, "format.json");
  let oldSealsUntil = 0;
  const layout: Layout = {
    root,
    format,
    get oldSealsUntil() {
      return oldSealsUntil;
    },
    blobs: join(root, "blobs"),
    ingest: join(root, "ingest"),
    meta: join(root, "meta"),
    reserve: join(root, RESERVE),
    folders: durableFolders(root),
    damaged: damagedFiles(damaged, { ...options, clock }),
    blobFolder: (digest) => join(layout.blobs, digestHex(digest).slice(0, 2)),
    blob: (digest) => join(layout.blobFolder(digest), digestHex(digest).slice(2)),
    previousBlob: (digest) => `${layout.blob(digest)}~`,
    ingestFile: (id) => join(layout.ingest, id),
  };
  await usable(root, async () => {
    // One by one: if a parent cannot be made, as in /proc, Node's recursive mkdir never returns.
    const folders = [layout.blobs, layout.ingest, layout.meta, damaged];
    for (const folder of [root, ...folders]) await makeFolder(folder);
    await clearFolder(layout.ingest, layout);
    await clearFolder(join(layout.meta, ".tmp"), layout);
    ({ oldSealsUntil } = await checkFormat(format, layout.damaged, clock));
    await syncDirectory(root);
    layout.folders.areDurable(folders);
    for (const parent of [layout.blobs, layout.meta]) {
      const inside = await readdir(parent, { withFileTypes: true });
      await syncDirectory(parent);
      layout.folders.areDurable(inside.filter((item) => item.isDirectory()).map(({ name }) => join(parent, name)));
    }
  });
  return layout;
}

/** Turns an error of the file system about a data folder into a message for the person who configured it. */
export async function usable<T>(root: string, prepare: () => Promise<T>): Promise<T> {
  try {
    return await withReserve(root, prepare);
  } catch (error) {
    if (error instanceof KindlingError) throw error;
    throw new KindlingError("CONF_INVALID", `the data folder ${root} cannot be used: ${messageOf(error)}`, {
      hint: "give the server a folder that it may write to, on a volume of its own",
      cause: error,
    });
  }
}

/** A server must be able to start on a full disk, because only a running server can make room on it. */
async function withReserve<T>(root: string, prepare: () => Promise<T>): Promise<T> {
  try {
    return await prepare();
  } catch (error) {
    if (!isFull(error)) throw error;
    await spaceReserve(join(root, RESERVE)).giveUp();
    return await prepare();
  }
}

/** Moves away whatever is in the place of a folder whose contents need not survive. */
async function clearFolder(path: string, { root, damaged }: Layout): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  const leadsTo = await stat(path).catch(() => undefined);
  if (found === undefined || leadsTo?.isDirectory() === true) return;
  await setObstacleAside(damaged, { root, path }, { what: "document", reason: "it is in the place of a folder" });
  await makeFolder(path);
}

/** @returns whether it was not there before */
async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}
