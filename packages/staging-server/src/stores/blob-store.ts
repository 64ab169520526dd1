import type { ByteSink, Digest } from "@kindling/staging-client";

/** The bytes from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The bytes of a blob, once. A chunk is valid until the next one is asked for: buffers are used again. */
export interface BlobReader extends AsyncIterable<Buffer> {
  /** Lets go of files and connections; also to be called after the last chunk. */
  close(): Promise<void>;
}

/** What a store needs to know to go on with an ingest after a restart, or in another process. Plain JSON. */
export type IngestState = Readonly<Record<string, unknown>>;

/** Bytes on their way into a store. Nothing of it can be read by anybody before it is sealed and published. */
export interface Ingest extends ByteSink {
  /** How many bytes the store has or is about to have. */
  readonly offset: number;
  /** Makes all that was written last, and lets go of files and connections. Nothing may be written afterwards. */
  suspend(): Promise<IngestState>;
  /** No more bytes will come. */
  seal(): Promise<SealedIngest>;
  /** Another server goes on with it: lets go of what this process holds, and touches nothing else. */
  abandon(): Promise<void>;
  /** Drops everything. Never fails: what cannot be dropped now is dropped by `sweep`. */
  abort(): Promise<void>;
}

/** All bytes of an ingest, complete but not yet visible. */
export interface SealedIngest {
  readonly size: number;
  /** Reads it back, to verify bytes whose hash got lost with the process that received them. */
  read(): Promise<BlobReader>;
  /** Makes the bytes the blob of that digest, which they have been found to have. Atomic. */
  publish(digest: Digest): Promise<"created" | "existed">;
  discard(): Promise<void>;
}

export interface IngestOptions {
  /** Names the ingest in the store; letters, digits and dashes. */
  readonly id: string;
  /** Announced length in bytes, where it is known. */
  readonly size: number | undefined;
  /** Told when part of the bytes is safe, with what `resume` would need. */
  readonly onState?: (state: IngestState, offset: number) => Promise<void>;
}

export interface StoredBlob {
  readonly digest: Digest;
  /** Absent where listing does not tell. */
  readonly size: number | undefined;
}

/**
 * Where blobs are kept. Every method may be called at any time by any number of callers; rejects with a `StoreError`
 * (`no-space`, `unavailable`), or with another error for what is a fault of this program.
 *
 * The guarantees that everything else relies on, and that the conformance suite proves: a blob that can be read has
 * exactly the bytes of its digest; an ingest is invisible until `publish`; `publish` is atomic and may be done twice.
 */
export interface BlobStore {
  /** Shown in status and metrics: `local-disk`, `s3`, `webhdfs`. */
  readonly kind: string;
  /** The size in bytes; `undefined` if there is no such blob. */
  stat(digest: Digest): Promise<number | undefined>;
  /** `undefined` if there is no such blob. */
  open(digest: Digest, range: ByteRange): Promise<BlobReader | undefined>;
  begin(options: IngestOptions): Promise<Ingest>;
  /** Goes on with a suspended or interrupted ingest; `undefined` if nothing of it is left. */
  resume(options: IngestOptions, state: IngestState): Promise<Ingest | undefined>;
  /** Resolves when these blobs would survive a loss of power. */
  makeDurable(digests: readonly Digest[]): Promise<void>;
  list(): AsyncIterable<StoredBlob>;
  /** Deleting what is not there is no error. The server never deletes what is being read. */
  delete(digest: Digest): Promise<void>;
  /** Drops what ingests have left behind, save those whose ids are given. Only what was there for a while is touched. */
  sweep(liveIngests: ReadonlySet<string>): Promise<void>;
  /** Free bytes; `undefined` where there is no such figure. */
  freeBytes(): Promise<number | undefined>;
  /** Implement when clients can fetch a blob without this server's help: a URL that works for a while. */
  presign?(digest: Digest, options: { readonly expiresIn: number }): Promise<string | undefined>;
  /** Whether the store can be reached, read and written. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
