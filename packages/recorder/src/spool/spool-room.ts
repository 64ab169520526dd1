import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@kindling/core-spec";
import { type Clock, sleep } from "@kindling/outside";
import type { Log } from "@kindling/service";

/** The folder for what is not in the archive yet has as much in it as it may have. */
export class SpoolFullError extends Error {
  constructor() {
    super("the folder for what is not in the archive yet is full");
  }
}

/** What could not be written to the disk is tried again after this time. Room comes as soon as the archive takes something. */
export function retryMs(error: unknown): number {
  return error instanceof SpoolFullError ? 1_000 : 5_000;
}

export interface SpoolRoomOptions {
  readonly folder: string;
  /** How many bytes may be in it; `undefined` for no limit. */
  readonly most: number | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Called again and again while it is full: what can be stored should be. */
  readonly onFull: () => void;
}

/** Event logs are on the disk of their driver's pod as well, so the rest is for logs. Those are gone with their pods. */
const PART_FOR_EVENT_LOGS = 0.8;
const ROOMY_PART = 0.9;
const MEASURE_MS = 30_000;
const LOOK_MS = 1_000;
const TELL_MS = 60_000;
const AT_ONCE = 32;

/** How much more may be written into the folder for what is not in the archive yet. */
export class SpoolRoom {
  readonly #options: SpoolRoomOptions;
  #measured = 0;
  /** What was written since the last measurement began. */
  #written = 0;
  #isFull = false;
  #toldAt = -Infinity;

  constructor(options: SpoolRoomOptions) {
    this.#options = options;
  }

  /** Whether logs had to wait, and there is not much room since. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /**
   * Called before something is written.
   *
   * @throws SpoolFullError if there is no room for it
   */
  take(bytes: number, what: "log" | "event-log"): void {
    const { most, clock, log, folder, onFull } = this.#options;
    if (most === undefined) return;
    const mostOfThese = what === "log" ? most : most * PART_FOR_EVENT_LOGS;
    if (this.#measured + this.#written + bytes <= mostOfThese) {
      this.#written += bytes;
      return;
    }
    // Event logs are stored when Spark has finished their files. Logs can be stored at once.
    if (what === "log" && !this.#isFull) {
      this.#isFull = true;
      onFull();
    }
    if (clock.monotonic() - this.#toldAt > TELL_MS) {
      log.warn("there is no room for more logs until the archive has taken some", { folder, most });
      this.#toldAt = clock.monotonic();
    }
    throw new SpoolFullError();
  }

  /** Looks again and again how much is there: more often while it is full. */
  async measureForever(signal: AbortSignal): Promise<void> {
    const { most, clock, log, folder, onFull } = this.#options;
    if (most === undefined) return;
    let measuredAt = -Infinity;
    while (!signal.aborted) {
      const isDue = clock.monotonic() - measuredAt >= MEASURE_MS;
      if (this.#isFull) onFull();
      try {
        if (this.#isFull || isDue) {
          await this.#measure(most);
          measuredAt = clock.monotonic();
        }
      } catch (error) {
        log.warn("the folder for logs cannot be measured", { folder, error: messageOf(error) });
      }
      await sleep(clock, LOOK_MS, signal);
    }
  }

  async #measure(most: number): Promise<void> {
    const before = this.#written;
    this.#measured = await sizeOf(this.#options.folder);
    this.#written -= before;
    this.#isFull &&= this.#measured > most * ROOMY_PART;
  }
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  let size = 0;
  for (let next = 0; next < names.length; next += AT_ONCE) {
    const found = await Promise.all(
      // Files come and go meanwhile.
      names.slice(next, next + AT_ONCE).map((name) => stat(join(folder, name)).catch(() => undefined)),
    );
    for (const one of found) if (one?.isFile() === true) size += one.size;
  }
  return size;
}
