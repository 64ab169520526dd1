import { appendFile, type FileHandle, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LogPosition } from "@kindling/kube";
import { readIfThere } from "@kindling/stores";
import { cut, lastLines } from "./spool-files.ts";
import { type LogState, parseLogState } from "./log-state.ts";

const STATE = "state.json";
const FLUSH_BYTES = 64 * 1024;

export interface LogSpoolOptions {
  /** Its own folder on this machine's disk. */
  readonly folder: string;
  /** A part is complete with this many bytes. */
  readonly partBytes: number;
  /** Called when a part is complete and can be stored. */
  readonly onPart: () => void;
}

/** What is not in the archive yet of a log. Its reader has to close the files. */
export interface UnstoredLog {
  /** The number of the last part that is in the archive; 0 for none. */
  readonly stored: number;
  readonly files: readonly UnstoredFile[];
}

export interface UnstoredFile {
  readonly file: FileHandle;
  /** How much of it counts; `undefined` for all of it. */
  readonly bytes: number | undefined;
}

/**
 * The log of a container on its way to the archive. It is kept on the disk: the next process continues it where this one ended,
 * without a line that is missing or there twice.
 */
export class LogSpool {
  readonly #options: LogSpoolOptions;
  #state: LogState;
  #pending: string[] = [];
  #pendingLength = 0;
  #position: LogPosition | undefined;
  /** Changes of the files follow each other. */
  #working: Promise<void> = Promise.resolve();

  private constructor(options: LogSpoolOptions, state: LogState) {
    this.#options = options;
    this.#state = state;
    this.#position = state.position;
  }

  static async open(options: LogSpoolOptions): Promise<LogSpool> {
    await mkdir(options.folder, { recursive: true });
    const state = parseLogState(await readIfThere(join(options.folder, STATE)));
    const spool = new LogSpool(options, state);
    // What was written after the state would be there twice.
    await cut(spool.#fileOf(state.part), state.size);
    return spool;
  }

  /** How far the log has been read. */
  get position(): LogPosition | undefined {
    return this.#position;
  }

  get state(): LogState {
    return this.#state;
  }

  /** Whether lines wait to be written. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
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
    return this.#inTurn(async () => {
      await this.#write();
      if (this.#state.size > 0) await this.#nextPart();
    });
  }

  /** Stores the parts that are complete, one after the other, and deletes older files here. */
  storeParts(store: (part: number, file: string) => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      for (let part = this.#state.stored + 1; part < this.#state.part; part++) {
        await store(part, this.#fileOf(part));
        await this.#save({ ...this.#state, stored: part });
        // The last one stays, for the last lines of the log.
        await rm(this.#fileOf(part - 1), { force: true });
      }
    });
  }

  /** The last lines that are on this machine. */
  async tail(count: number): Promise<readonly string[]> {
    await this.flush();
    const { part, size } = this.#state;
    const current = await lastLines(this.#fileOf(part), size, count);
    if (current.length >= count) return current;
    return [...(await lastLines(this.#fileOf(part - 1), undefined, count - current.length)), ...current];
  }

  /** What is not in the archive yet. The files are open, so nobody deletes their content meanwhile. */
  unstored(): Promise<UnstoredLog> {
    return this.#inTurn(async () => {
      await this.#write();
      const { stored, part, size } = this.#state;
      const files: UnstoredFile[] = [];
      for (let number = stored + 1; number <= part; number++) {
        const bytes = number === part ? size : undefined;
        if (bytes !== 0) files.push({ file: await open(this.#fileOf(number)), bytes });
      }
      return { stored, files };
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
    if (this.#pending.length === 0) return;
    const count = this.#pending.length;
    const position = this.#position;
    const content = Buffer.from(this.#pending.map((line) => `${line}\n`).join(""));
    const { part, size, bytes } = this.#state;
    // A write that failed in the middle has left a part of its lines.
    await cut(this.#fileOf(part), size);
    await appendFile(this.#fileOf(part), content, { mode: 0o600 });
    await this.#save({
      ...this.#state,
      size: size + content.length,
      bytes: bytes + content.length,
      ...(position && { position }),
    });
    const written = this.#pending.splice(0, count);
    this.#pendingLength -= written.reduce((sum, line) => sum + line.length + 1, 0);
    if (this.#state.size >= this.#options.partBytes) await this.#nextPart();
  }

  async #nextPart(): Promise<void> {
    await this.#save({ ...this.#state, part: this.#state.part + 1, size: 0 });
    this.#options.onPart();
  }

  async #save(state: LogState): Promise<void> {
    const path = join(this.#options.folder, STATE);
    await writeFile(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
    await rename(`${path}.new`, path);
    this.#state = state;
  }

  #fileOf(part: number): string {
    return join(this.#options.folder, `${part}.log`);
  }
}
