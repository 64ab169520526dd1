import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import type { LocalFile, LocalFiles } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { pathHere } from "../../plan/files/file-path.ts";
import { bytesOf, filesIn, textOf, type Fault, type GatheredFile } from "../../plan/files/gathered-files.ts";
import { fileStatus } from "./file-status.ts";
import { readFailure } from "./read-failure.ts";
import { readSmallFile } from "./read-small-file.ts";

/**
 * The total size of a folder's files up to which they are all read, even if nobody asks for a single one: an object cannot be
 * larger.
 */
const WHOLE_FOLDER_BYTES = 1024 * 1024;

/** Reads the submitter's disk, and keeps everything that was asked for: only this goes into the plan's input. */
export class DiskReader implements LocalFiles {
  readonly #cwd: string;
  readonly #clock: Clock;
  readonly #byPath = new Map<string, GatheredFile>();

  constructor(cwd: string, clock: Clock) {
    this.#cwd = cwd;
    this.#clock = clock;
  }

  /** What was asked for so far. */
  get byPath(): Readonly<Record<string, GatheredFile>> {
    return Object.fromEntries(this.#byPath);
  }

  /** Reads a file. Of a folder, reads the regular files in it if their total size is small. Faults are kept, not thrown. */
  take(path: string): void {
    const { files } = this.#look(path);
    if (files === undefined) this.#content(path);
    if (!Array.isArray(files)) return;
    const total = files.reduce((sum, { size }) => sum + size, 0);
    if (total <= WHOLE_FOLDER_BYTES) for (const file of files) this.#content(file.path);
  }

  absolute(path: string): string {
    return pathHere(this.#cwd, path);
  }

  isFile(path: string): boolean {
    return this.#look(path).isFile;
  }

  size(path: string): number {
    return this.#look(path).size;
  }

  listFiles(path: string): readonly LocalFile[] | undefined {
    return filesIn(this.#look(path), this.absolute(path));
  }

  readBytes(path: string): Uint8Array {
    return bytesOf(this.#content(path), this.absolute(path));
  }

  readText(path: string): string | undefined {
    return textOf(this.readBytes(path));
  }

  /** The YAML is parsed later, by the code that needs it. */
  readYaml(path: string): unknown {
    return this.readText(path);
  }

  #look(path: string): GatheredFile {
    const absolute = this.absolute(path);
    const known = this.#byPath.get(absolute);
    if (known !== undefined) return known;
    const status = fileStatus(absolute);
    const file: GatheredFile = {
      isFile: status?.isFile() === true,
      size: status?.size ?? 0,
      ...(status?.isDirectory() === true && { files: orFault(() => regularFilesIn(absolute)) }),
    };
    this.#byPath.set(absolute, file);
    return file;
  }

  #content(path: string): Uint8Array | Fault {
    const file = this.#look(path);
    if (file.content !== undefined) return file.content;
    const content = orFault(() => new Uint8Array(readSmallFile(this.absolute(path), this.#clock)));
    this.#byPath.set(this.absolute(path), { ...file, content });
    return content;
  }
}

function orFault<T>(read: () => T): T | Fault {
  try {
    return read();
  } catch (error) {
    return readFailure(error);
  }
}

function regularFilesIn(folder: string): readonly LocalFile[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = resolve(folder, name);
      const status = fileStatus(path);
      return status?.isFile() === true ? [{ name, path, size: status.size }] : [];
    });
}
