import { rm } from "node:fs/promises";
import type { LogPosition } from "@kindling/kube";
import type { AppendedFile } from "./appended-file.ts";
import type { StorePart, UnstoredLog } from "./kept-log.ts";
import { LongLog, type LongLogOptions } from "./long-log.ts";
import { ShortLog } from "./short-log.ts";

const FLUSH_BYTES = 64 * 1024;
/** A longer log gets a folder of its own, and one that is longer than a part of it. Most logs of executors are shorter. */
const SHORT_BYTES = 64 * 1024;

export interface LogSpoolOptions extends LongLogOptions {
  /** `driver`, `executor-17` */
  readonly name: string;
  /** The file with the short logs of the run. */
  readonly short: AppendedFile;
}

/**
 * The log of a container on its way to the archive. It is kept on the disk: the next process continues it where this one ended,
 * without a line that is missing or there twice.
 */
export class LogSpool {
  readonly #options: LogSpoolOptions;
  #kept: ShortLog | LongLog;
  #pending: string[] = [];
  #pendingLength = 0;
  #position: LogPosition | undefined;
  /** Changes of the files follow each other. */
  #working: Promise<void> = Promise.resolve();

  /** @param kept what an earlier process has left; a new log by default */
  constructor(options: LogSpoolOptions, kept?: ShortLog | LongLog) {
    this.#options = options;
    const { name, short: file, onPart } = options;
    this.#kept = kept ?? new ShortLog({ name, file, onPart });
    this.#position = this.#kept.position;
  }

  /** How far the log has been read. */
  get position(): LogPosition | undefined {
    return this.#position;
  }

  /** The bytes that are on the disk or in the archive. */
  get bytes(): number {
    return this.#kept.bytes;
  }

  /** Whether lines wait to be written. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Whether there are parts that can be stored, and are not. */
  get hasParts(): boolean {
    return this.#kept.hasParts;
  }

  /**
   * Takes a line.
   *
   * @returns a promise if the caller must wait for it before the next line
   */
  add(text: string, position: LogPosition | undefined): Promise<void> | undefined {
    this.#pending.push(text);
    this.#pendingLength += text.length + 1;
    this.#position = position;
    return this.#pendingLength >= FLUSH_BYTES ? this.flush() : undefined;
  }

  /** Resolves when all lines so far are on the disk. */
  flush(): Promise<void> {
    return this.#inTurn(() => this.#write());
  }

  /** Completes the part that is being written. Nothing may be added afterwards. */
  complete(): Promise<void> {
    return this.#inTurn(() => this.#handOver((text, position) => this.#kept.end(text, position)));
  }

  /** Lets what is on the disk be stored, although more will come. */
  completePart(): Promise<void> {
    return this.#inTurn(() => this.#kept.completePart());
  }

  /** Stores the parts that are complete, one after the other, and deletes older files here. */
  storeParts(store: StorePart): Promise<void> {
    return this.#inTurn(() => this.#kept.storeParts(store));
  }

  /** The last lines that are on this machine. */
  tail(count: number): Promise<readonly string[]> {
    return this.#inTurn(async () => {
      await this.#write();
      return await this.#kept.tail(count);
    });
  }

  /** What is not in the archive yet. Its text stays the same, whatever is stored meanwhile. */
  unstored(): Promise<UnstoredLog> {
    return this.#inTurn(async () => {
      await this.#write();
      return await this.#kept.unstored();
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const working = this.#working.then(work);
    // A failure is for the one who asked; the same is tried again with the next turn.
    this.#working = working.then(
      () => undefined,
      () => undefined,
    );
    return working;
  }

  async #write(): Promise<void> {
    if (this.#pending.length > 0) await this.#handOver((text, position) => this.#kept.append(text, position));
  }

  async #handOver(write: (text: string, position: LogPosition | undefined) => Promise<void>): Promise<void> {
    const count = this.#pending.length;
    const position = this.#position;
    const text = this.#pending.map((line) => `${line}\n`).join("");
    if (count > 0) this.#options.room.take(text.length, "log");
    const mostBytes = Math.min(SHORT_BYTES, this.#options.partBytes);
    if (this.#kept instanceof ShortLog && this.#kept.bytes + text.length > mostBytes)
      this.#kept = await this.#lengthened(this.#kept);
    await write(text, position);
    const written = this.#pending.splice(0, count);
    this.#pendingLength -= written.reduce((sum, line) => sum + line.length + 1, 0);
  }

  /** All lines are there in one step: until then, what counts is in the file of the short logs. */
  async #lengthened(short: ShortLog): Promise<LongLog> {
    const { folder } = this.#options;
    // An earlier try may have failed.
    await rm(folder, { recursive: true, force: true });
    const long = await LongLog.open(this.#options);
    if (short.bytes > 0) await long.append(await short.text(), short.position);
    return long;
  }
}
