import { link, unlink, type FileHandle } from "node:fs/promises";
import type { Digest } from "@kindling/staging-client";
import { putSeal } from "./blob-seal.ts";
import { setObstacleAside } from "./damaged-files.ts";
import { moveInto } from "./durable-folders.ts";
import type { Layout } from "./layout.ts";

/** Gives a blob that is on disk for good a second name, so that it stays until the next file is also on disk. */
export async function keepPrevious(layout: Layout, digest: Digest, next: FileHandle): Promise<void> {
  const previous = layout.previousBlob(digest);
  try {
    await unlink(previous).catch(() => undefined);
    await link(layout.blob(digest), previous);
  } catch (error) {
    if (isAbsent(error)) return;
    // If a file cannot have two names, the new file must be on disk before it replaces the old one.
    await next.datasync();
    await putSeal(next);
  }
}

/** Gives a file the name of its blob, whatever is there. */
export async function replaceBlob(layout: Layout, path: string, digest: Digest): Promise<void> {
  const folder = layout.blobFolder(digest);
  try {
    await moveInto(folder, path, layout.blob(digest));
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const inTheWay = IN_THE_WAY[code];
    if (inTheWay === undefined) throw error;
    const obstacle = { root: layout.root, path: inTheWay === "file" ? layout.blob(digest) : folder };
    const reason = `it is in the place of a ${inTheWay}`;
    await setObstacleAside(layout.damaged, obstacle, { what: "file", reason });
    await moveInto(folder, path, layout.blob(digest));
  }
}

// A directory in the place of the file, and a file or a broken link in the place of its directory.
const IN_THE_WAY: Readonly<Record<string, "file" | "folder">> = {
  EISDIR: "file",
  ENOTDIR: "folder",
  EEXIST: "folder",
  ELOOP: "folder",
};

/** Whether nothing is there, or a file is in the place of its folder. */
export function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP";
}
