import { constants } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import type { Executors, Registration } from "../blocks/executors.ts";

/** The record's name in the first local directory that can be written to. */
const NAME = ".kindling-shuffle-executors.json";
/** All registrations together are smaller. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Remembers the registered executors in the local directories, so that a server that is started again can serve their files:
 * an executor registers only once, and may be gone. Spark's service does so with a database on YARN; without it, each fetch
 * fails after a restart (SPARK-27736).
 *
 * An application can change the record, as it can register executors. So each entry is checked again when it is read.
 */
export class ExecutorRecord {
  readonly #directories: readonly string[];
  readonly #executors: Executors;
  #writing: Promise<void> = Promise.resolve();

  /** @param directories canonical paths */
  constructor(directories: readonly string[], executors: Executors) {
    this.#directories = directories;
    this.#executors = executors;
  }

  /** Registers the executors of the record. Entries that are not allowed any more are left out. */
  async read(): Promise<void> {
    for (const directory of this.#directories) {
      for (const { application, executor, files } of parse(await content(`${directory}/${NAME}`))) {
        await this.#again(application, executor, files);
      }
    }
  }

  async #again(...[application, executor, files]: Parameters<Executors["register"]>): Promise<void> {
    try {
      await this.#executors.register(application, executor, files);
    } catch {
      // It is not allowed any more, or its directory is gone.
    }
  }

  /** Writes all registered executors. If no directory can be written to, nothing is remembered. */
  async write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    await this.#writing;
  }

  async #write(): Promise<void> {
    const text = JSON.stringify(this.#executors.all());
    for (const directory of this.#directories) if (await replace(`${directory}/${NAME}`, text)) return;
  }
}

async function content(path: string): Promise<string> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      return stats.isFile() && stats.size <= MOST_BYTES ? await file.readFile("utf8") : "";
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}

async function replace(path: string, text: string): Promise<boolean> {
  const fresh = `${path}.new`;
  try {
    await rm(fresh, { force: true });
    // With O_EXCL, a link that another program has put there is not followed.
    const file = await open(fresh, "wx", 0o600);
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    await rename(fresh, path);
    return true;
  } catch {
    return false;
  }
}

function parse(text: string): readonly Registration[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((one) => isRegistration(one)) : [];
  } catch {
    return [];
  }
}

function isRegistration(value: unknown): value is Registration {
  if (typeof value !== "object" || value === null) return false;
  const { application, executor, files } = value as Record<string, unknown>;
  if (typeof application !== "string" || typeof executor !== "string" || typeof files !== "object" || files === null) {
    return false;
  }
  const { localDirs, subDirsPerLocalDir, shuffleManager } = files as Record<string, unknown>;
  return (
    Array.isArray(localDirs) &&
    localDirs.every((directory) => typeof directory === "string") &&
    Number.isInteger(subDirsPerLocalDir) &&
    typeof shuffleManager === "string"
  );
}
