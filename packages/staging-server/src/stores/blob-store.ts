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
  /**
   * Makes all that was written last, and lets go of files and connections, also where it fails. Nothing may be written
   * afterwards.
   */
  suspend(): Promise<IngestState>;
  /** No more bytes will come. Where it fails, whoever asked drops the ingest. */
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
  /**
   * Implement where bytes that could not be published for now can wait: lets go of files and connections, and `resume`
   * finds all of them. Never rejects.
   */
  keep?(): Promise<void>;
  /** Drops everything. */
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

/** What was found out about a blob. `damaged`: its bytes were not those of its digest; it is not there any more. */
export type BlobState = "sound" | "damaged" | "absent";

export interface StoredBlob {
  readonly digest: Digest;
  /** Absent where listing does not tell. */
  readonly size: number | undefined;
}

/**
 * Where blobs are kept. Every method may be called at any time by any number of callers; rejects with a `StoreError`, or
 * with another error for what is a fault of this program. One of the kind `damaged` says that the blob was found so while
 * it was read, and that `verify` would find it so again.
 *
 * The guarantees that everything else relies on, and that the conformance suite proves: a blob that can be read has
 * exactly the bytes of its digest; an ingest is invisible until `publish`; `publish` is atomic and may be done twice.
 */
export interface BlobStore {
  /** Shown in status and metrics: the kind of its driver. */
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
  /** All blobs; those behind a digest, in the order of digests, where the store can verify them. */
  list(after?: Digest): AsyncIterable<StoredBlob>;
  /** Deleting what is not there is no error. The server never deletes what is being read. */
  delete(digest: Digest): Promise<void>;
  /** Drops what ingests have left behind, save those whose ids are given. Only what was there for a while is touched. */
  sweep(liveIngests: ReadonlySet<string>): Promise<void>;
  /** Free bytes; `undefined` where there is no such figure. */
  freeBytes(): Promise<number | undefined>;
  /**
   * Implement where nobody else notices when stored bytes go bad. Reads all of a blob; one that is damaged is set aside:
   * it counts as absent from then on, and can be published anew.
   *
   * @param pace called after so many bytes, to be read more slowly
   */
  verify?(digest: Digest, pace?: (bytes: number) => Promise<void>): Promise<BlobState>;
  /** Implement when clients can fetch a blob without this server's help: a URL that works for a while. */
  presign?(digest: Digest, options: { readonly expiresIn: number }): Promise<string | undefined>;
  /**
   * Whether the store can be reached, read and written. Rejects with the kind `read-only` where it can be read only, and
   * with `no-space` where there is only no room.
   */
  probe(): Promise<void>;
  close(): Promise<void>;
}
