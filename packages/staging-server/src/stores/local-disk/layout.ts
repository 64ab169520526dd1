import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { KindlingError, messageOf } from "@kindling/core-spec";
import { digestHex, type Digest } from "@kindling/staging-client";
import { syncDirectory } from "./durable-folders.ts";

/*
 *   format.json           the version of this layout
 *   lock, lock.*          who is using it
 *   blobs/<2 hex>/<62 hex>  mode 0440: on disk for good; 0600: written, perhaps not yet flushed
 *   ingest/<id>           bytes that are still arriving
 *   meta/<collection>/<key>.json
 *   meta/.tmp/            documents that are still being written
 */

const FORMAT = 1;

export interface Layout {
  readonly root: string;
  readonly blobs: string;
  readonly ingest: string;
  readonly meta: string;
  blob(digest: Digest): string;
  /** The directory that holds a blob. */
  blobFolder(digest: Digest): string;
  ingestFile(id: string): string;
}

/**
 * Makes the folder itself, without which there is nothing to lock.
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
export async function openLayout(root: string): Promise<Layout> {
  const layout: Layout = {
    root,
    blobs: join(root, "blobs"),
    ingest: join(root, "ingest"),
    meta: join(root, "meta"),
    blobFolder: (digest) => join(layout.blobs, digestHex(digest).slice(0, 2)),
    blob: (digest) => join(layout.blobFolder(digest), digestHex(digest).slice(2)),
    ingestFile: (id) => join(layout.ingest, id),
  };
  await usable(root, async () => {
    // One by one: where a parent cannot be made, as in /proc, Node's recursive mkdir never comes back.
    for (const folder of [root, layout.blobs, layout.ingest, layout.meta, join(layout.meta, ".tmp")]) {
      await makeFolder(folder);
    }
    await checkFormat(join(root, "format.json"));
  });
  return layout;
}

/** What a file system says against a data folder, in words for whoever has configured it. */
export async function usable<T>(root: string, prepare: () => Promise<T>): Promise<T> {
  try {
    return await prepare();
  } catch (error) {
    if (error instanceof KindlingError) throw error;
    throw new KindlingError("CONF_INVALID", `the data folder ${root} cannot be used: ${messageOf(error)}`, {
      hint: "give the server a folder that it may write to, on a volume of its own",
      cause: error,
    });
  }
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

async function checkFormat(path: string): Promise<void> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) {
    await writeFile(`${path}.tmp`, `${JSON.stringify({ kind: "kindling-staging", version: FORMAT })}\n`, {
      flush: true,
    });
    await rename(`${path}.tmp`, path);
    return;
  }
  const { kind, version } = JSON.parse(text) as { kind?: unknown; version?: unknown };
  if (kind === "kindling-staging" && version === FORMAT) return;
  throw new KindlingError("CONF_INVALID", `${path} is of version ${String(version)}, this server knows ${FORMAT}`, {
    hint: "use the server version that wrote it, or a new folder",
  });
}
