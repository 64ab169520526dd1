import { appendFile, type FileHandle, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LogPosition } from "@kindling/kube";
import { readIfThere } from "@kindling/stores";
import type { KeptLog, StorePart, UnstoredLog } from "./kept-log.ts";
import { type LogState, parseLogState } from "./log-state.ts";
import { cut, keepEnd, lastLines, TAIL_BYTES } from "./spool-files.ts";
import type { SpoolRoom } from "./spool-room.ts";

const STATE = "state.json";
/** So much of a stored part stays on a disk that is full, for its last lines. */
const SHORT_END_BYTES = 64 * 1024;

export interface LongLogOptions {
  /** Its own folder on this machine's disk. */
  readonly folder: string;
  /** A part is complete with this many bytes. */
  readonly partBytes: number;
  /** Called when a part is complete and can be stored. */
  readonly onPart: () => void;
  readonly room: SpoolRoom;
}

interface UnstoredFile {
  readonly file: FileHandle;
  /** How much of it counts; `undefined` for all of it. */
  readonly bytes: number | undefined;
}

/** A log in a folder of its own: a file for each part, and one that says how far the log was read. */
export class LongLog implements KeptLog {
  readonly #options: LongLogOptions;
  #state: LogState;

  private constructor(options: LongLogOptions, state: LogState) {
    this.#options = options;
    this.#state = state;
  }

  static async open(options: LongLogOptions): Promise<LongLog> {
    await mkdir(options.folder, { recursive: true });
    const state = parseLogState(await readIfThere(join(options.folder, STATE)));
    const log = new LongLog(options, state);
    // What was written after the state would be there twice.
    await cut(log.#fileOf(state.part), state.size);
    return log;
  }

  get position(): LogPosition | undefined {
    return this.#state.position;
  }

  get bytes(): number {
    return this.#state.bytes;
  }

  get hasParts(): boolean {
    return this.#state.stored + 1 < this.#state.part;
  }

  async append(text: string, position: LogPosition | undefined): Promise<void> {
    const content = Buffer.from(text);
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
    // The lines are there, whatever becomes of this. It is tried again with the next lines.
    if (this.#state.size >= this.#options.partBytes) await this.#complete().catch(() => undefined);
  }

  async end(text: string, position: LogPosition | undefined): Promise<void> {
    if (text !== "") await this.append(text, position);
    await this.#complete();
  }

  async completePart(): Promise<void> {
    if (this.#state.size >= SHORT_END_BYTES) await this.#complete();
  }

  async #complete(): Promise<void> {
    if (this.#state.size === 0) return;
    await this.#save({ ...this.#state, part: this.#state.part + 1, size: 0 });
    this.#options.onPart();
  }

  async storeParts(store: StorePart): Promise<void> {
    for (let part = this.#state.stored + 1; part < this.#state.part; part++) {
      await store(part, { file: this.#fileOf(part) });
      await this.#save({ ...this.#state, stored: part });
      // The end of the last one stays, for the last lines of the log.
      await rm(this.#fileOf(part - 1), { force: true });
      await keepEnd(this.#fileOf(part), this.#options.room.isFull ? SHORT_END_BYTES : TAIL_BYTES);
    }
  }

  async tail(count: number): Promise<readonly string[]> {
    const { part, size } = this.#state;
    const current = await lastLines(this.#fileOf(part), size, count);
    if (current.length >= count) return current;
    return [...(await lastLines(this.#fileOf(part - 1), undefined, count - current.length)), ...current];
  }

  async unstored(): Promise<UnstoredLog> {
    const { stored, part, size } = this.#state;
    const files: UnstoredFile[] = [];
    for (let number = stored + 1; number <= part; number++) {
      const bytes = number === part ? size : undefined;
      // Open files keep their content if they are deleted meanwhile.
      if (bytes !== 0) files.push({ file: await open(this.#fileOf(number)), bytes });
    }
    return {
      stored,
      text: () => textOf(files),
      close: () => {
        for (const { file } of files) file.close().catch(() => undefined);
      },
    };
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

async function* textOf(files: readonly UnstoredFile[]): AsyncGenerator<Buffer, void> {
  for (const { file, bytes } of files) {
    const end = bytes === undefined ? {} : { end: bytes - 1 };
    for await (const chunk of file.createReadStream({ autoClose: false, start: 0, ...end })) yield chunk as Buffer;
  }
}
