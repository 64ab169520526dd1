import { closeSync, readSync } from "node:fs";
import { realpath, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { RemoteError } from "../remote-error.ts";
import type { BlockReference } from "./block-list.ts";
import { blockPlace, isPlainName } from "./block-path.ts";
import type { Executor } from "./executors.ts";
import { IndexFiles, type Segment } from "./index-files.ts";
import { isMissing, openInside } from "./open-inside.ts";
import { OpenFiles, type OpenFile } from "./open-files.ts";

/** A block that can be sent. `release` must be called once. */
export interface FoundBlock extends Segment {
  readonly file: OpenFile;
  release(): void;
}

/** A block that is in a file of its executor. */
type LocalBlock = Exclude<BlockReference, { kind: "merged" }>;

/** The files of executors: finds, reads and removes blocks. */
export class BlockFiles {
  readonly #indexes = new IndexFiles();
  readonly #open: OpenFiles;

  /** @param now milliseconds that only ever grow */
  constructor(now: () => number) {
    this.#open = new OpenFiles(now);
  }

  /**
   * Opens the file of a block. Counterpart of `ExternalShuffleBlockResolver.getBlockData` and of its siblings (Spark 3.5.9 and
   * 4.1.1). It differs in that the file is opened and its length is checked before the answer begins: Spark's service breaks
   * the connection in the middle of an answer.
   *
   * @returns undefined for a block of an RDD that is not there
   * @throws RemoteError for the client
   */
  find(executor: Executor, block: LocalBlock): FoundBlock | undefined {
    return block.kind === "rdd"
      ? this.#findRdd(executor, `rdd_${block.rddId}_${block.splitIndex}`)
      : this.#findShuffle(executor, block);
  }

  #findShuffle(executor: Executor, block: LocalBlock & { kind: "shuffle" }): FoundBlock {
    const name = `shuffle_${block.shuffleId}_${block.mapId}_0`;
    const segment = this.segment(executor, name, block.start, block.end);
    const { directory, path } = placeOf(executor, `${name}.data`);
    const file = this.#acquire(directory, path);
    if (segment.offset + segment.length <= file.size) return this.#found(file, segment);
    this.#open.release(file);
    throw new RemoteError(
      "damaged",
      "java.io.IOException",
      `${directory}/${path} has ${file.size} bytes, and the block ends at ${segment.offset + segment.length}`,
    );
  }

  #findRdd(executor: Executor, name: string): FoundBlock | undefined {
    const { directory, path } = placeOf(executor, name);
    try {
      const file = this.#open.acquire(directory, path);
      return this.#found(file, { offset: 0, length: file.size });
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw readFailure(`${directory}/${path}`, error);
    }
  }

  /** Where partitions of a map are in its data file. `name` is without its ending. @throws RemoteError */
  segment(executor: Executor, name: string, start: number, end: number): Segment {
    const { directory, path } = placeOf(executor, `${name}.index`);
    try {
      return this.#indexes.segment(directory, path, start, end);
    } catch (error) {
      if (error instanceof RemoteError) throw error;
      throw new RemoteError(
        "block",
        "java.lang.RuntimeException",
        `Failed to open file: ${directory}/${path}\nCaused by: ${reasonOf(error)}`,
      );
    }
  }

  /** Reads some bytes of a file, or undefined if there is no such file, or it is too short. @throws RemoteError */
  readSmall(executor: Executor, name: string, position: number, length: number): Buffer | undefined {
    const { directory, path } = placeOf(executor, name);
    try {
      const { fd } = openInside(directory, path);
      try {
        const bytes = Buffer.alloc(length);
        return readSync(fd, bytes, 0, length, position) === length ? bytes : undefined;
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw readFailure(`${directory}/${path}`, error);
    }
  }

  /**
   * Deletes blocks. Counterpart of `ExternalShuffleBlockResolver.removeBlocks` (Spark 3.5.9): names that are not plain are
   * skipped.
   *
   * @returns how many were deleted
   */
  async remove(executor: Executor, names: Iterable<string>): Promise<number> {
    let removed = 0;
    for (const name of names) if (isPlainName(name) && (await this.#removeOne(executor, name))) removed++;
    return removed;
  }

  async #removeOne(executor: Executor, name: string): Promise<boolean> {
    const { directory, path } = placeOf(executor, name);
    const full = `${directory}/${path}`;
    try {
      // The directory of the file could be a link. Its own name is not followed when it is deleted.
      if ((await realpath(dirname(full))) !== dirname(full)) return false;
      this.#open.removed(directory, path);
      this.#indexes.removed(directory, path);
      await unlink(full);
      return true;
    } catch {
      // It is not there, or may not be deleted: the number in the answer says so.
      return false;
    }
  }

  /** Call it now and then: it closes files that were not used for a while. */
  closeUnused(): void {
    this.#open.closeUnused();
  }

  closeAll(): void {
    this.#open.closeAll();
  }

  #acquire(directory: string, path: string): OpenFile {
    try {
      return this.#open.acquire(directory, path);
    } catch (error) {
      throw readFailure(`${directory}/${path}`, error);
    }
  }

  #found(file: OpenFile, segment: Segment): FoundBlock {
    return { ...segment, file, release: () => this.#open.release(file) };
  }
}

function placeOf(executor: Executor, name: string): { readonly directory: string; readonly path: string } {
  const { directory, path } = blockPlace(name, executor.directories.length, executor.files.subDirsPerLocalDir);
  return { directory: executor.directories[directory] ?? "", path };
}

function readFailure(path: string, error: unknown): RemoteError {
  if (error instanceof RemoteError) return error;
  return new RemoteError("block", "java.io.IOException", `Failed to open file: ${path}\nCaused by: ${reasonOf(error)}`);
}

function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
