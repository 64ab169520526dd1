import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import type { LogLine, LogQuery } from "../../logs.ts";

const BLOCK = 64 * 1024;
/** A longer line is cut, so that a container without line ends does not fill the memory. */
const LONGEST_LINE = 1024 * 1024;
const NEWLINE = 0x0a;

export const STREAMS = ["stdout", "stderr"] as const;
export type Stream = (typeof STREAMS)[number];

/** The log of one run of a container: a file of lines, each with the time when it was read. */
export class ContainerLog {
  readonly #path: string;
  readonly #file: number;
  readonly #wakers = new Set<() => void>();
  #size = 0;
  readonly #partial: Readonly<Record<Stream, Buffer[]>> = { stdout: [], stderr: [] };
  #closed = false;
  #removed = false;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "w+", 0o600);
  }

  /** Writes data from one of the container's streams; each stream has its own lines. */
  write(stream: Stream, chunk: Buffer, time: number): void {
    const partial = this.#partial[stream];
    const lines: Buffer[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      lines.push(Buffer.from(`${time} `), ...partial.splice(0), chunk.subarray(from, at + 1));
      from = at + 1;
    }
    if (lines.length > 0) this.#append(Buffer.concat(lines));
    if (from < chunk.length) partial.push(chunk.subarray(from));
    if (lengthOf(partial) > LONGEST_LINE) this.#endLine(stream, time);
  }

  /** Called when nothing more comes. */
  close(time: number): void {
    if (this.#closed) return;
    for (const stream of STREAMS) if (this.#partial[stream].length > 0) this.#endLine(stream, time);
    this.#closed = true;
    this.#wake();
  }

  /** The end of the log, as the container wrote it: limited to this many lines and bytes. */
  tail(lines: number, bytes: number): string {
    const text = this.#block(this.#tailStart(lines), this.#size).toString("utf8");
    const plain = text.replaceAll(/^\d+ /gm, "");
    const buffer = Buffer.from(plain);
    return buffer.subarray(Math.max(0, buffer.length - bytes)).toString("utf8");
  }

  async *read({ tailLines, since, follow, signal }: LogQuery): AsyncGenerator<LogLine> {
    let at = tailLines === undefined ? 0 : this.#tailStart(tailLines);
    let rest = Buffer.alloc(0);
    for (;;) {
      if (this.#removed) return;
      if (at >= this.#size) {
        if (!follow || this.#closed || signal.aborted) return;
        await this.#next(signal);
        continue;
      }
      const block = this.#block(at, Math.min(at + BLOCK, this.#size));
      at += block.length;
      const text = Buffer.concat([rest, block]);
      const end = text.lastIndexOf(NEWLINE) + 1;
      rest = text.subarray(end);
      for (const line of linesOf(text.subarray(0, end))) if (since === undefined || line.time >= since) yield line;
    }
  }

  remove(): void {
    if (this.#removed) return;
    this.#removed = true;
    this.#closed = true;
    this.#wake();
    closeSync(this.#file);
    rmSync(this.#path, { force: true });
  }

  #endLine(stream: Stream, time: number): void {
    const partial = this.#partial[stream].splice(0);
    this.#append(Buffer.concat([Buffer.from(`${time} `), ...partial, Buffer.from("\n")]));
  }

  #append(bytes: Buffer): void {
    if (this.#removed) return;
    try {
      writeSync(this.#file, bytes, 0, bytes.length, this.#size);
      this.#size += bytes.length;
    } catch (error) {
      // On a full disk, lines of the log are lost, but the cluster goes on.
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
    this.#wake();
  }

  #tailStart(lines: number): number {
    if (lines <= 0) return this.#size;
    let left = lines + 1;
    for (let end = this.#size; end > 0; end -= BLOCK) {
      const start = Math.max(0, end - BLOCK);
      const block = this.#block(start, end);
      for (let at = block.lastIndexOf(NEWLINE); at >= 0; at = at === 0 ? -1 : block.lastIndexOf(NEWLINE, at - 1)) {
        left -= 1;
        if (left === 0) return start + at + 1;
      }
    }
    return 0;
  }

  #block(start: number, end: number): Buffer {
    if (this.#removed) return Buffer.alloc(0);
    const buffer = Buffer.alloc(Math.max(0, end - start));
    const length = readSync(this.#file, buffer, 0, buffer.length, start);
    return buffer.subarray(0, length);
  }

  #wake(): void {
    for (const wake of this.#wakers) wake();
    this.#wakers.clear();
  }

  async #next(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        signal.removeEventListener("abort", wake);
        this.#wakers.delete(wake);
        resolve();
      };
      this.#wakers.add(wake);
      signal.addEventListener("abort", wake);
    });
  }
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

function* linesOf(text: Buffer): Generator<LogLine> {
  let from = 0;
  for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, from)) {
    const space = text.indexOf(0x20, from);
    yield { time: Number(text.toString("latin1", from, space)), text: text.toString("utf8", space + 1, at) };
    from = at + 1;
  }
}
