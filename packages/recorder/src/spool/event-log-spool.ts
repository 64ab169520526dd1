import { mkdir, open, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isName } from "@kindling/recorder-client";
import { cut, foldersIn } from "./spool-files.ts";

const COMPLETE = "complete";

/** A file of an event log, and how much of it is here. */
export interface SpooledEventFile {
  /** The folder that Spark has made for it, `eventlog_v2_ID`. */
  readonly log: string;
  /** `events_1_ID`, `appstatus_ID` */
  readonly name: string;
  readonly size: number;
}

/** What was sent does not continue what is here. */
export class OffsetError extends Error {
  /** @param size how much is here */
  constructor(size: number) {
    super(`there are ${size} bytes of this file`);
  }
}

/** The event logs of a driver are larger than allowed. */
export class EventLogTooLarge extends Error {}

/** The event logs of one driver on their way to the archive. They are on the disk of this machine, and outlive this process. */
export class EventLogSpool {
  readonly #folder: string;
  readonly #files = new Map<string, SpooledEventFile>();
  #isComplete: boolean;
  /** Changes of the files follow each other. */
  #working: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, files: readonly SpooledEventFile[], isComplete: boolean) {
    this.#folder = folder;
    for (const file of files) this.#files.set(keyOf(file), file);
    this.#isComplete = isComplete;
  }

  static async open(folder: string): Promise<EventLogSpool> {
    const files: SpooledEventFile[] = [];
    for (const log of await foldersIn(folder)) {
      for (const name of await readdir(join(folder, log)))
        files.push({ log, name, size: (await stat(join(folder, log, name))).size });
    }
    const isComplete = await stat(join(folder, COMPLETE)).then(
      () => true,
      () => false,
    );
    return new EventLogSpool(folder, files, isComplete);
  }

  get files(): readonly SpooledEventFile[] {
    return [...this.#files.values()];
  }

  /** Whether all of it has arrived. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  pathOf({ log, name }: Pick<SpooledEventFile, "log" | "name">): string {
    return join(this.#folder, log, name);
  }

  /**
   * Adds bytes at the end of a file.
   *
   * @param most how large all files together may become
   * @throws OffsetError if the file does not end at this offset; EventLogTooLarge
   */
  async append(
    file: Pick<SpooledEventFile, "log" | "name">,
    { offset, bytes, most }: { readonly offset: number; readonly bytes: Buffer; readonly most: number },
  ): Promise<void> {
    if (!isName(file.log) || !isName(file.name)) throw new RangeError("this is no name of an event log");
    await this.#inTurn(async () => {
      const size = this.#files.get(keyOf(file))?.size ?? 0;
      if (offset !== size) throw new OffsetError(size);
      const all = this.files.reduce((sum, one) => sum + one.size, 0);
      if (all + bytes.length > most) throw new EventLogTooLarge(`event logs may have ${most} bytes`);
      const path = this.pathOf(file);
      await mkdir(join(this.#folder, file.log), { recursive: true, mode: 0o700 });
      // A write that failed in the middle has left a part of its bytes.
      await cut(path, size);
      const handle = await open(path, "a", 0o600);
      try {
        await handle.writeFile(bytes);
      } finally {
        await handle.close();
      }
      this.#files.set(keyOf(file), { ...file, size: size + bytes.length });
    });
  }

  /** All of it has arrived. */
  async complete(): Promise<void> {
    await this.#inTurn(async () => {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(join(this.#folder, COMPLETE), "", { mode: 0o600 });
      this.#isComplete = true;
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const working = this.#working.then(work);
    this.#working = working.catch(() => undefined);
    return working;
  }
}

function keyOf({ log, name }: Pick<SpooledEventFile, "log" | "name">): string {
  return `${log}/${name}`;
}
