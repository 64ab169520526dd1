import { close, fstatSync } from "node:fs";
import { openInside } from "./open-inside.ts";

/** A file that is read, shared by its readers. */
export interface OpenFile {
  readonly fd: number;
  /** In bytes, when it was last asked for. */
  size: number;
}

interface Entry extends OpenFile {
  readonly key: string;
  readers: number;
  usedAt: number;
  isCached: boolean;
}

/** How many files stay open that nobody reads. */
const MOST_FILES = 64;
/** After this time without a reader a file is closed, so that a deleted one frees its space. */
const KEPT_MS = 5_000;

/**
 * The data files that are open. Blocks are often small and there are many in one file, so a file stays open for a while. A
 * file that was deleted or replaced is not used again.
 */
export class OpenFiles {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;

  /** @param now milliseconds that only ever grow */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Opens a file, or takes the open one. Call `release` once for each `acquire`.
   *
   * @throws like `openInside`
   */
  acquire(directory: string, path: string): OpenFile {
    const key = `${directory}/${path}`;
    const cached = this.#entries.get(key);
    if (cached !== undefined) {
      const stats = fstatSync(cached.fd);
      if (stats.nlink > 0) {
        cached.size = stats.size;
        return this.#taken(cached);
      }
      this.#forget(cached);
    }
    const { fd, stats } = openInside(directory, path);
    const entry = { key, fd, size: stats.size, readers: 0, usedAt: 0, isCached: true };
    this.#entries.set(key, entry);
    return this.#taken(entry);
  }

  release(file: OpenFile): void {
    const entry = file as Entry;
    entry.readers -= 1;
    if (entry.readers > 0) return;
    if (!entry.isCached) closeFile(entry);
    else if (this.#entries.size > MOST_FILES) this.#forget(entry);
  }

  /** A file was deleted. */
  removed(directory: string, path: string): void {
    const entry = this.#entries.get(`${directory}/${path}`);
    if (entry !== undefined) this.#forget(entry);
  }

  /** Closes the files that were not used for a while. */
  closeUnused(): void {
    const before = this.#now() - KEPT_MS;
    for (const entry of this.#entries.values()) {
      if (entry.readers === 0 && entry.usedAt < before) this.#forget(entry);
    }
  }

  closeAll(): void {
    for (const entry of this.#entries.values()) this.#forget(entry);
  }

  #taken(entry: Entry): OpenFile {
    entry.readers += 1;
    entry.usedAt = this.#now();
    return entry;
  }

  /** A file with readers is closed by the last one. */
  #forget(entry: Entry): void {
    this.#entries.delete(entry.key);
    entry.isCached = false;
    if (entry.readers === 0) closeFile(entry);
  }
}

function closeFile({ fd }: OpenFile): void {
  // Closing the last descriptor of a deleted file frees its blocks, which may take long. Nothing can be done about an error.
  close(fd, () => undefined);
}
