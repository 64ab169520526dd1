import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Where a line is in its file, in bytes. */
export interface LinePlace {
  readonly start: number;
  readonly bytes: number;
}

interface Waiting {
  readonly line: Buffer;
  readonly resolve: (place: LinePlace) => void;
  readonly reject: (error: unknown) => void;
}

const NEWLINE = 0x0a;

/**
 * A file of lines that grows at its end. Lines that come while others are being written are written together, so that thousands
 * of them cost few writes.
 */
export class AppendedFile {
  readonly #path: string;
  /** The bytes of all whole lines. */
  #size = 0;
  /** Whether there may be a part of a line behind them. */
  #isTorn = false;
  /** It is open only while it is in use: there are files for each run. */
  #file: Promise<FileHandle> | undefined;
  #wasUsed = false;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Opens a file that an earlier process may have left. If that process was killed in the middle of a line, the next one takes
   * the place of that part.
   *
   * @param take gets each line that is there, with its place in this file
   */
  static async open(
    path: string,
    take: (line: string, place: LinePlace, file: AppendedFile) => void,
  ): Promise<AppendedFile> {
    const file = new AppendedFile(path);
    let rest: Buffer[] = [];
    for await (const chunk of chunksOf(path)) {
      let begin = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, begin)) {
        const line = Buffer.concat([...rest, chunk.subarray(begin, end)]);
        take(line.toString("utf8"), { start: file.#size, bytes: line.length }, file);
        file.#size += line.length + 1;
        rest = [];
        begin = end + 1;
      }
      if (begin < chunk.length) rest.push(chunk.subarray(begin));
    }
    file.#isTorn = rest.length > 0;
    return file;
  }

  /**
   * Adds a line. Lines are in the file in the order of these calls.
   *
   * @returns where it is, when it is in the file. After a failure, it is not there.
   */
  append(line: string): Promise<LinePlace> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: Buffer.from(`${line}\n`), resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  async read({ start, bytes }: LinePlace): Promise<string> {
    const content = Buffer.alloc(bytes);
    await (await this.#opened()).read(content, 0, bytes, start);
    return content.toString("utf8");
  }

  /** Closes the file if it was not used since the last call. It is opened again when it is needed. */
  async rest(): Promise<void> {
    if (!this.#wasUsed) await this.close();
    this.#wasUsed = false;
  }

  async close(): Promise<void> {
    await this.#writing;
    const file = this.#file;
    this.#file = undefined;
    await (await file)?.close();
  }

  async #writeAll(): Promise<void> {
    // Lines that are added in the same moment are written together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(lines.map(({ line }) => line));
      } catch (error) {
        this.#isTorn = true;
        for (const { reject } of lines) reject(error);
        continue;
      }
      for (const { line, resolve } of lines) {
        resolve({ start: this.#size, bytes: line.length - 1 });
        this.#size += line.length;
      }
    }
    this.#writing = undefined;
  }

  async #write(lines: readonly Buffer[]): Promise<void> {
    const file = await this.#opened();
    if (this.#isTorn) await file.truncate(this.#size);
    this.#isTorn = false;
    await file.writeFile(lines.length === 1 ? (lines[0] ?? "") : Buffer.concat(lines));
  }

  #opened(): Promise<FileHandle> {
    this.#wasUsed = true;
    if (this.#file !== undefined) return this.#file;
    const opening = open(this.#path, "a+", 0o600);
    this.#file = opening;
    opening.catch(() => (this.#file = undefined));
    return opening;
  }
}

async function* chunksOf(path: string): AsyncGenerator<Buffer, void> {
  try {
    for await (const chunk of createReadStream(path)) yield chunk as Buffer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
