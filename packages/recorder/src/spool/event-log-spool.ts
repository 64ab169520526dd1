import { appendFile, mkdir, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isName } from "@kindling/recorder-client";
import { readIfThere } from "@kindling/stores";
import { eventsIndex } from "./event-file-names.ts";
import { cut, foldersIn } from "./spool-files.ts";
import type { SpoolRoom } from "./spool-room.ts";

const COMPLETE = "complete";
/** The files that are in the archive, and no longer here, each in a line of JSON. */
const STORED = "stored.jsonl";

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

export interface EventLogSpoolOptions {
  /** Its own folder on this machine's disk. */
  readonly folder: string;
  readonly room: SpoolRoom;
  /** Called when Spark has finished a file, which can be stored then. */
  readonly onFinished: () => void;
}

/**
 * The event logs of one driver on their way to the archive. They are on the disk of this machine, and outlive this process. Spark
 * begins a new file when one is large enough; what it has finished can go to the archive while the application runs.
 */
export class EventLogSpool {
  readonly #options: EventLogSpoolOptions;
  readonly #files = new Map<string, SpooledEventFile>();
  /** The keys of those that are in the archive, and no longer here. */
  readonly #stored = new Set<string>();
  #isComplete = false;
  /** Changes of the files follow each other. */
  #working: Promise<unknown> = Promise.resolve();

  private constructor(options: EventLogSpoolOptions) {
    this.#options = options;
  }

  static async open(options: EventLogSpoolOptions): Promise<EventLogSpool> {
    const { folder } = options;
    const spool = new EventLogSpool(options);
    const lines = (await readIfThere(join(folder, STORED))) ?? "";
    for (const file of lines.split("\n").flatMap((line) => parseStored(line) ?? [])) {
      spool.#add(file);
      spool.#stored.add(keyOf(file));
      // That process may have ended before it did this.
      await rm(spool.pathOf(file), { force: true });
    }
    for (const log of await foldersIn(folder)) {
      for (const name of await readdir(join(folder, log)))
        spool.#add({ log, name, size: (await stat(join(folder, log, name))).size });
    }
    spool.#isComplete = await stat(join(folder, COMPLETE)).then(
      () => true,
      () => false,
    );
    return spool;
  }

  get files(): readonly SpooledEventFile[] {
    return [...this.#files.values()];
  }

  /** Whether all of it has arrived. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  pathOf({ log, name }: Pick<SpooledEventFile, "log" | "name">): string {
    return join(this.#options.folder, log, name);
  }

  /** Whether a file is in the archive, and no longer here. */
  isStored(file: Pick<SpooledEventFile, "log" | "name">): boolean {
    return this.#stored.has(keyOf(file));
  }

  /** The files here into which Spark writes no more, because there are later ones. */
  get finished(): readonly SpooledEventFile[] {
    return this.files.filter((file) => !this.isStored(file) && this.#isFinished(file));
  }

  /** A file is in the archive: it need not be here any more. */
  async stored(file: SpooledEventFile): Promise<void> {
    await this.#inTurn(async () => {
      // A line of its own, also after one that was cut off.
      await appendFile(join(this.#options.folder, STORED), `\n${JSON.stringify(file)}\n`, { mode: 0o600 });
      this.#stored.add(keyOf(file));
      await rm(this.pathOf(file), { force: true });
    });
  }

  /**
   * Adds bytes at the end of a file.
   *
   * @param most how large all files together may become
   * @throws OffsetError if the file does not end at this offset, or is in the archive; EventLogTooLarge; SpoolFullError
   */
  async append(
    file: Pick<SpooledEventFile, "log" | "name">,
    { offset, bytes, most }: { readonly offset: number; readonly bytes: Buffer; readonly most: number },
  ): Promise<void> {
    if (!isName(file.log) || !isName(file.name)) throw new RangeError("this is no name of an event log");
    await this.#inTurn(async () => {
      const size = this.#files.get(keyOf(file))?.size ?? 0;
      if (offset !== size || this.isStored(file)) throw new OffsetError(size);
      const all = this.files.reduce((sum, one) => sum + one.size, 0);
      if (all + bytes.length > most) throw new EventLogTooLarge(`event logs may have ${most} bytes`);
      this.#options.room.take(bytes.length, "event-log");
      const path = this.pathOf(file);
      await mkdir(join(this.#options.folder, file.log), { recursive: true, mode: 0o700 });
      // A write that failed in the middle has left a part of its bytes.
      await cut(path, size);
      const handle = await open(path, "a", 0o600);
      try {
        await handle.writeFile(bytes);
      } finally {
        await handle.close();
      }
      const isNew = !this.#files.has(keyOf(file));
      this.#add({ ...file, size: size + bytes.length });
      if (isNew && this.finished.length > 0) this.#options.onFinished();
    });
  }

  /** All of it has arrived. */
  async complete(): Promise<void> {
    await this.#inTurn(async () => {
      await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
      await writeFile(join(this.#options.folder, COMPLETE), "", { mode: 0o600 });
      this.#isComplete = true;
    });
  }

  #add(file: SpooledEventFile): void {
    this.#files.set(keyOf(file), file);
  }

  #isFinished({ log, name }: SpooledEventFile): boolean {
    const index = eventsIndex(name);
    return index > 0 && this.files.some((other) => other.log === log && eventsIndex(other.name) > index);
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

/** Reads a line that an earlier process has written; `undefined` if it is none. */
function parseStored(line: string): SpooledEventFile | undefined {
  try {
    const { log, name, size } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (typeof log !== "string" || typeof name !== "string" || typeof size !== "number") return undefined;
    return isName(log) && isName(name) ? { log, name, size } : undefined;
  } catch {
    return undefined;
  }
}
