import { lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf } from "@kindling/core-spec";
import { systemClock, type Clock } from "@kindling/outside";
import type { Damage, DamageListener } from "../damage.ts";
import { readBeginning } from "./plain-file.ts";

/*
 *   damaged/<shelf>/<name>.<time>   the damaged file, as it was found
 *
 * A shelf is `files`, `other`, or `documents.` with a collection. Names have no dot.
 */

/** A damaged file that has to be moved away. */
export interface DamagedFile {
  readonly shelf: string;
  readonly name: string;
  readonly path: string;
}

/** The place for damaged files, where they disturb nothing and people can still inspect them. */
export interface DamagedFiles {
  /**
   * Moves a file or a folder there, and reports it. The oldest files of the same shelf are deleted, so that the limits
   * hold.
   *
   * @returns whether it was moved away; never rejects
   */
  setAside(file: DamagedFile, damage: Omit<Damage, "keptAs">): Promise<boolean>;
  /** Reports damage if nothing is left to move. */
  report(damage: Damage): void;
  /** The names on a shelf, each once. */
  names(shelf: string): Promise<readonly string[]>;
  /** The contents of the newest file of a name, up to 32 MiB; `undefined` if there is none. */
  read(shelf: string, name: string): Promise<Buffer | undefined>;
}

export interface DamagedFilesOptions {
  /** How much a shelf may hold; default 1 GiB. */
  readonly mostBytes: number;
  readonly clock: Clock;
  readonly onDamage: DamageListener;
}

interface Kept {
  readonly file: string;
  readonly size: number;
}

const MOST_FILES = 1_000;
const GIBIBYTE = 1024 ** 3;

export function damagedFiles(folder: string, options: Partial<DamagedFilesOptions> = {}): DamagedFiles {
  const { mostBytes = GIBIBYTE, clock = systemClock, onDamage = () => undefined } = options;
  const nameOf = (file: string): string => file.slice(0, file.indexOf("."));
  const timeOf = (file: string): string => file.slice(file.indexOf("."));

  // The files of each shelf, kept in memory, because many may come at once.
  const shelves = new Map<string, Promise<Kept[]>>();

  /** The oldest first. */
  async function filesOf(shelf: string): Promise<readonly string[]> {
    const files = await readdir(join(folder, shelf)).catch(() => []);
    return files.filter((file) => file.includes(".")).sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
  }

  async function move(shelf: string, file: string, from: string): Promise<void> {
    try {
      await mkdir(join(folder, shelf), { recursive: true, mode: 0o700 });
      await rename(from, join(folder, shelf, file));
    } catch (error) {
      // If blobs are on a volume of their own, nothing can be moved from there. Damaged bytes are worth little.
      if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
      await rm(from, { recursive: true });
    }
  }

  async function sizeOf(shelf: string, file: string): Promise<Kept> {
    const stats = await lstat(join(folder, shelf, file)).catch(() => undefined);
    return { file, size: stats?.size ?? 0 };
  }

  async function keptOn(shelf: string): Promise<Kept[]> {
    const loaded =
      shelves.get(shelf) ??
      filesOf(shelf).then((files) => Promise.all(files.map(async (file) => await sizeOf(shelf, file))));
    shelves.set(shelf, loaded);
    return await loaded;
  }

  /** @returns whether the file that was added last had to be deleted too */
  async function prune(shelf: string, last: string): Promise<boolean> {
    const kept = await keptOn(shelf);
    if (!kept.some(({ file }) => file === last)) kept.push(await sizeOf(shelf, last));
    let bytes = kept.reduce((sum, { size }) => sum + size, 0);
    while (kept.length > MOST_FILES || bytes > mostBytes) {
      const oldest = kept.shift();
      if (oldest === undefined) break;
      await rm(join(folder, shelf, oldest.file), { recursive: true, force: true });
      bytes -= oldest.size;
    }
    return !kept.some(({ file }) => file === last);
  }

  return {
    async setAside({ shelf, name, path }, damage) {
      const file = `${name}.${new Date(clock.now()).toISOString().replaceAll(/[-:.]/g, "")}`;
      try {
        await move(shelf, file, path);
      } catch (error) {
        const gone = (error as NodeJS.ErrnoException).code === "ENOENT";
        onDamage(gone ? damage : { ...damage, reason: `${damage.reason}; it cannot be moved: ${messageOf(error)}` });
        return gone;
      }
      const dropped = await prune(shelf, file).catch(() => false);
      onDamage(dropped ? damage : { ...damage, keptAs: join(basename(folder), shelf, file) });
      return true;
    },
    report: onDamage,
    async names(shelf) {
      return [...new Set((await filesOf(shelf)).map(nameOf))];
    },
    async read(shelf, name) {
      const newest = (await filesOf(shelf)).findLast((file) => nameOf(file) === name);
      return newest === undefined ? undefined : await readBeginning(join(folder, shelf, newest)).catch(() => undefined);
    },
  };
}

/** Moves away a file or folder that is in the place of something else. */
export async function setObstacleAside(
  damaged: DamagedFiles,
  { root, path }: { readonly root: string; readonly path: string },
  damage: Pick<Damage, "what" | "reason">,
): Promise<void> {
  const name = path.slice(root.length + 1);
  await damaged.setAside({ shelf: "other", name: name.replaceAll(/[/.]/g, "-"), path }, { ...damage, name });
}
