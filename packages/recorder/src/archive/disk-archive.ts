import { createReadStream } from "node:fs";
import { copyFile, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { messageOf } from "@kindling/core-spec";
import type { Random } from "@kindling/outside";
import { type Archive, type ArchivedFile, ArchiveError, type FilePart } from "./archive.ts";

/** Names of files that are not complete yet. No name in an archive begins with a dot. */
const UNFINISHED = ".unfinished-";

/** An archive in a folder of this machine. */
export function diskArchive(root: string, random: Pick<Random, "uuid">): Archive {
  const at = (path: string): string => join(root, path);

  /** After a loss of power, the file is whole or absent. */
  async function publish(path: string, write: (unfinished: string) => Promise<void>): Promise<void> {
    const target = at(path);
    const unfinished = join(dirname(target), `${UNFINISHED}${random.uuid()}`);
    await guarded(async () => {
      await mkdir(dirname(target), { recursive: true });
      try {
        await write(unfinished);
        await rename(unfinished, target);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    });
  }

  async function* below(folder: string): AsyncGenerator<ArchivedFile, void> {
    const entries = await ifThere(() => readdir(at(folder), { withFileTypes: true }));
    for (const entry of entries ?? []) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) yield* below(path);
      else if (entry.isFile() && !entry.name.startsWith(".")) {
        const status = await ifThere(() => stat(at(path)));
        if (status !== undefined) yield { path, size: status.size, modified: status.mtimeMs };
      }
    }
  }

  return {
    name: `the folder ${root}`,
    put: (path, content) => publish(path, (file) => writeWhole(file, content)),
    putFile: (path, file) => publish(path, (unfinished) => copyWhole(file, unfinished)),
    read: (path) => ifThere(() => readFile(at(path))),
    async open(path, part): Promise<Readable | undefined> {
      const handle = await ifThere(() => open(at(path), "r"));
      return handle && createReadStream("", { fd: handle, ...streamed(part) });
    },
    list: (folder) => below(folder),
    async folders(folder) {
      const entries = await ifThere(() => readdir(at(folder), { withFileTypes: true }));
      return (entries ?? []).filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    delete: (path) =>
      guarded(async () => {
        await rm(at(path), { force: true });
        await removeEmpty(root, dirname(path));
      }),
    close: () => Promise.resolve(),
  };
}

function streamed(part: FilePart = { start: 0 }): { readonly start: number; readonly end?: number } {
  // Node counts the last byte in.
  return part.end === undefined ? { start: part.start } : { start: part.start, end: part.end - 1 };
}

async function writeWhole(file: string, content: Buffer): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function copyWhole(source: string, file: string): Promise<void> {
  await copyFile(source, file);
  const handle = await open(file, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes folders that have become empty, up to the root. */
async function removeEmpty(root: string, folder: string): Promise<void> {
  for (let path = folder; path !== "."; path = dirname(path)) {
    try {
      await rmdir(join(root, path));
    } catch {
      // It is not empty, or it is gone already.
      return;
    }
  }
}

async function ifThere<T>(look: () => Promise<T>): Promise<T | undefined> {
  return await guarded(async () => {
    try {
      return await look();
    } catch (error) {
      if (ABSENT.has(codeOf(error))) return undefined;
      throw error;
    }
  });
}

const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ArchiveError ? error : new ArchiveError(messageOf(error), error);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
