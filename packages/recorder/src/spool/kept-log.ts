import type { LogPosition } from "@kindling/kube";

/** A part of a log that is complete: a file of this machine, or the text itself. */
export type PartContent = { readonly file: string } | { readonly text: Buffer };

export type StorePart = (part: number, content: PartContent) => Promise<void>;

/** What is not in the archive yet of a log. */
export interface UnstoredLog {
  /** The number of the last part that is in the archive; 0 for none. */
  readonly stored: number;
  /** The text behind that part. */
  readonly text: () => AsyncIterable<Buffer>;
  /** Must be called in the end, also if the text was not read. */
  readonly close: () => void;
}

/** A log on this machine's disk. Each call has to wait for the one before. */
export interface KeptLog {
  /** How far the log has been read. */
  readonly position: LogPosition | undefined;
  /** The bytes of all of it. */
  readonly bytes: number;
  /** Whether there are parts that can be stored, and are not. */
  readonly hasParts: boolean;
  /** Adds lines, each with its end. They are on the disk when this resolves; after a failure, they are not there. */
  append(text: string, position: LogPosition | undefined): Promise<void>;
  /** Adds the last lines, if there are any, and completes the part that is being written. */
  end(text: string, position: LogPosition | undefined): Promise<void>;
  /** Completes the part that is being written before it is large enough, if that frees room on the disk. */
  completePart(): Promise<void>;
  /** Stores the parts that are complete, one after the other. */
  storeParts(store: StorePart): Promise<void>;
  /** The last lines that are on this machine. */
  tail(count: number): Promise<readonly string[]>;
  unstored(): Promise<UnstoredLog>;
}
