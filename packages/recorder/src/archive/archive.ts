import type { Readable } from "node:stream";

/** A file of the archive. */
export interface ArchivedFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since the epoch, by the store's clock. */
  readonly modified: number;
}

/** A part of a file, in bytes: from `start` up to, not including, `end`. */
export interface FilePart {
  readonly start: number;
  readonly end?: number;
}

/**
 * Files by their path, whatever store they are in. A path consists of names that are joined by slashes (`archive-paths.ts`).
 * A file is whole or absent: nobody sees a part of it. All methods reject with an `ArchiveError`.
 */
export interface Archive {
  /** For messages, such as `the bucket jobs at s3.amazonaws.com`. */
  readonly name: string;
  /** Stores a text or some bytes, in place of what is there. */
  put(path: string, content: Buffer): Promise<void>;
  /** Stores a file of this machine, in place of what is there. */
  putFile(path: string, file: string): Promise<void>;
  /** `undefined` if there is no such file; the next one does the same. */
  read(path: string): Promise<Buffer | undefined>;
  open(path: string, part?: FilePart): Promise<Readable | undefined>;
  /** All files below a folder, in any order; none if there is no such folder. */
  list(folder: string): AsyncIterable<ArchivedFile>;
  /** The names of the folders in a folder. */
  folders(folder: string): Promise<readonly string[]>;
  /** It is no error if the file does not exist. */
  delete(path: string): Promise<void>;
  close(): Promise<void>;
}

/** A store does not do what the archive needs of it. Somebody may mend it, so everything is tried again. */
export class ArchiveError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "ArchiveError";
  }
}
