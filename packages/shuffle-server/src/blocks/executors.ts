import { constants } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { posix } from "node:path";
import type { ExecutorFiles } from "../protocol/block-message.ts";
import { RemoteError } from "../remote-error.ts";

/** An executor that has said where its files are. */
export interface Executor {
  readonly files: ExecutorFiles;
  /** The canonical paths of its local directories, in their order. */
  readonly directories: readonly string[];
}

/** What an executor has said of itself. */
export interface Registration {
  readonly application: string;
  readonly executor: string;
  readonly files: ExecutorFiles;
}

/** A configured local directory. */
export interface Root {
  /** As it is configured, without `.`, `..` and doubled slashes. */
  readonly path: string;
  /** Without links. */
  readonly canonical: string;
}

/** A pod has one executor. Others may share a volume, as in tests. */
const MOST_EXECUTORS = 1024;
/** What the paths of all executors may take, in characters. */
const MOST_CHARACTERS = 1024 * 1024;

/** The registered executors. */
export class Executors {
  readonly #executors = new Map<string, Executor & Registration & { readonly characters: number }>();
  readonly #roots: readonly Root[];
  #characters = 0;

  /** @param roots local directories of executors must be below one of them */
  constructor(roots: readonly Root[]) {
    this.#roots = roots;
  }

  /** All registrations, as {@link register} takes them. */
  all(): readonly Registration[] {
    return [...this.#executors.values()].map(({ application, executor, files }) => ({ application, executor, files }));
  }

  /**
   * Registers an executor, or replaces what was known of it.
   *
   * Source: `ExternalBlockHandler.handleMessage` and `LocalDirValidator`, Spark 3.5.9 and 4.3.0. It differs in that a directory
   * must be readable: otherwise the first fetch would fail, long after the fault.
   *
   * @returns whether that is new
   * @throws RemoteError if a directory is not below the roots, or cannot be read
   */
  async register(application: string, executor: string, files: ExecutorFiles): Promise<boolean> {
    const directories: string[] = [];
    for (const directory of files.localDirs) directories.push(await this.#checked(directory));
    const key = keyOf(application, executor);
    const before = this.#executors.get(key);
    const characters = key.length + files.localDirs.join("").length + directories.join("").length;
    const all = this.#characters - (before?.characters ?? 0) + characters;
    if ((before === undefined && this.#executors.size >= MOST_EXECUTORS) || all > MOST_CHARACTERS) {
      throw new RemoteError(
        "overload",
        "java.lang.IllegalStateException",
        `${this.#executors.size} executors are registered: no more can be`,
      );
    }
    this.#characters = all;
    this.#executors.set(key, { application, executor, files, directories, characters });
    return before === undefined || JSON.stringify(before.files) !== JSON.stringify(files);
  }

  /** @throws RemoteError if it is not registered */
  get(application: string, executor: string): Executor {
    const found = this.#executors.get(keyOf(application, executor));
    if (found !== undefined) return found;
    throw new RemoteError(
      "executor",
      "java.lang.RuntimeException",
      `Executor is not registered (appId=${application}, execId=${executor})`,
    );
  }

  async #checked(directory: string): Promise<string> {
    if (directory === "") {
      throw directoryError("localDirs entries must be non-null and non-empty");
    }
    // First by the text, so that nobody learns which other paths exist.
    const outside = `localDirs entry is not under any of the service's local directories: ${directory}`;
    const path = posix.normalize(directory).replace(/(?<=.)\/$/, "");
    if (
      directory.includes("\0") ||
      !this.#roots.some((root) => isBelow(path, root.path) || isBelow(path, root.canonical))
    ) {
      throw directoryError(outside);
    }
    const canonical = await canonicalPath(directory);
    if (!this.#roots.some((root) => isBelow(canonical, root.canonical))) throw directoryError(outside);
    try {
      await access(canonical, constants.R_OK | constants.X_OK);
    } catch (error) {
      throw directoryError(`localDirs entry cannot be read: ${directory} (${codeOf(error)})`);
    }
    return canonical;
  }
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

async function canonicalPath(directory: string): Promise<string> {
  try {
    return await realpath(directory);
  } catch (error) {
    throw directoryError(`localDirs entry cannot be read: ${directory} (${codeOf(error)})`);
  }
}

function directoryError(message: string): RemoteError {
  return new RemoteError("directory", "java.lang.IllegalArgumentException", message);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}

function keyOf(application: string, executor: string): string {
  return `${application.length}:${application}${executor}`;
}
