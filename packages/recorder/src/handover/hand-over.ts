import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { messageOf } from "@kindling/core-spec";
import { type Clock, sleep, within } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { Archive } from "../archive/archive.ts";
import { spoolFolders } from "../spool/spool-folders.ts";
import {
  copiedRuns,
  copyFiles,
  deleteCopy,
  finishCopy,
  LEDGER_FILES,
  type SpoolFile,
  spoolFiles,
} from "./spool-copy.ts";

export interface HandOverOptions {
  readonly archive: Archive;
  /** With a folder for each run that is not stored. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Pick<Log, "info" | "warn">;
}

/** What a recorder that is killed has not copied, the next one does not know. */
const EVERY_MS = 10_000;
/** A pod has 30 seconds for its end. */
const AT_END_MS = 20_000;
const AT_ONCE = 16;

/**
 * Copies what is on the disk of this machine into the archive, for a recorder that does not have this disk: while runs go on,
 * which pods they had; at the end of this process, all that there is.
 */
export class HandOver {
  readonly #options: HandOverOptions;
  /** What was copied of the pods of a run, by uid. */
  readonly #copied = new Map<string, string>();
  readonly #stopped = new AbortController();
  readonly #copying: Promise<void>;

  constructor(options: HandOverOptions) {
    this.#options = options;
    this.#copying = this.#copyForever();
  }

  /** Copies everything, as far as there is time for it. No run may change any more. */
  async end(): Promise<void> {
    const { clock, folder, log } = this.#options;
    this.#stopped.abort();
    await this.#copying;
    const tooLate = new AbortController();
    const left = [...(await spoolFolders(folder))];
    let whole = 0;
    const work = async (): Promise<void> => {
      for (let run = left.pop(); run !== undefined && !tooLate.signal.aborted; run = left.pop())
        if (await this.#copyWhole(run)) whole++;
    };
    const all = Promise.all(Array.from({ length: AT_ONCE }, work));
    await within(clock, AT_END_MS, all, () => tooLate.abort());
    log.info("runs that go on were handed over", { whole, left: left.length });
  }

  async #copyForever(): Promise<void> {
    const { archive, clock, log } = this.#options;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      try {
        if (this.#copied.size === 0) for (const uid of await copiedRuns(archive)) this.#copied.set(uid, "");
        await this.#copyLedgers(signal);
      } catch (error) {
        log.warn("runs that go on cannot be handed over at present", { error: messageOf(error) });
      }
      await sleep(clock, EVERY_MS, signal);
    }
  }

  async #copyLedgers(signal: AbortSignal): Promise<void> {
    const { archive, folder } = this.#options;
    const folders = new Map((await spoolFolders(folder)).map((run) => [basename(run), run]));
    for (const [uid, run] of folders) {
      if (signal.aborted) return;
      const files = await ledgerFiles(run);
      const state = JSON.stringify(files);
      if (files.length === 0 || this.#copied.get(uid) === state) continue;
      await copyFiles(archive, uid, { folder: run, files });
      this.#copied.set(uid, state);
    }
    // They are in the archive as runs that have ended.
    for (const uid of this.#copied.keys()) {
      if (folders.has(uid)) continue;
      await deleteCopy(archive, uid);
      this.#copied.delete(uid);
    }
  }

  async #copyWhole(run: string): Promise<boolean> {
    const { archive, log } = this.#options;
    const uid = basename(run);
    try {
      const files = await spoolFiles(run);
      await copyFiles(archive, uid, { folder: run, files });
      await finishCopy(archive, uid, files);
      return true;
    } catch (error) {
      log.warn("a run that goes on cannot be handed over", { uid, error: messageOf(error) });
      return false;
    }
  }
}

async function ledgerFiles(folder: string): Promise<readonly SpoolFile[]> {
  const files: SpoolFile[] = [];
  for (const path of LEDGER_FILES) {
    const found = await stat(join(folder, path)).catch(() => undefined);
    if (found !== undefined) files.push({ path, size: found.size, modified: found.mtimeMs });
  }
  return files;
}
