import type { ByteSink, Digest } from "@kindling/staging-client";

/** The bytes from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The bytes of a blob, once. A chunk is valid until the next one is asked for: buffers are used again. */
export interface BlobReader extends AsyncIterable<Buffer> {
  /** Releases files and connections; must also be called after the last chunk. */
  close(): Promise<void>;
}

/** What a store needs to know to go on with an ingest after a restart, or in another process. Plain JSON. */
export type IngestState = Readonly<Record<string, unknown>>;

/** Bytes on their way into a store. They cannot be read before they are sealed and published. */
export interface Ingest extends ByteSink {
  /** How many bytes the store has or is about to have. */
  readonly offset: number;
  /**
   * Makes all written bytes survive, and releases files and connections, even if it fails. Nothing may be written
   * afterwards.
   */
  suspend(): Promise<IngestState>;
  /** Says that no more bytes will come. If it fails, the caller drops the ingest. */
  seal(): Promise<SealedIngest>;
  /** Another server goes on with it: releases what this process holds, and changes nothing else. */
  abandon(): Promise<void>;
  /** Drops everything. Never fails: `sweep` drops later what cannot be dropped now. */
  abort(): Promise<void>;
}

/** All bytes of an ingest, complete but not yet visible. */
export interface SealedIngest {
  readonly size: number;
  /** Reads it back, to verify bytes if their hash was lost with the process that received them. */
  read(): Promise<BlobReader>;
  /** Makes the bytes the blob of this digest. The caller has verified that they have it. Atomic. */
  publish(digest: Digest): Promise<"created" | "existed">;
  /**
   * Implement this if bytes can wait when they could not be published for now: releases files and connections, and
   * `resume` finds all bytes. Never rejects.
   */
  keep?(): Promise<void>;
  /** Drops everything. */
  discard(): Promise<void>;
}

export interface IngestOptions {
  /** Names the ingest in the store; letters, digits and dashes. */
  readonly id: string;
  /** Announced length in bytes, if known. */
  readonly size: number | undefined;
  /** Called when part of the bytes is safe, with the state that `resume` would need. */
  readonly onState?: (state: IngestState, offset: number) => Promise<void>;
}

/** What was found out about a blob. `damaged`: its bytes did not have its digest; it is not there any more. */
export type BlobState = "sound" | "damaged" | "absent";

export interface StoredBlob {
  readonly digest: Digest;
  /** Undefined if a listing does not show it. */
  readonly size: number | undefined;
}

/**
 * Where blobs are kept. Every method may be called at any time by any number of callers; it rejects with a `StoreError`,
 * or with another error for a fault of this program. The kind `damaged` means that the blob was found damaged while it
 * was read, and that `verify` would find the same.
 *
 * All other code relies on these guarantees, and the conformance suite proves them: a blob that can be read has exactly
 * the bytes of its digest; an ingest is invisible until `publish`; `publish` is atomic and may be done twice.
 */
export interface BlobStore {
  /** Shown in status and metrics: the kind of its driver. */
  readonly kind: string;
  /** The size in bytes; `undefined` if there is no such blob. */
  stat(digest: Digest): Promise<number | undefined>;
  /** `undefined` if there is no such blob. */
  open(digest: Digest, range: ByteRange): Promise<BlobReader | undefined>;
  begin(options: IngestOptions): Promise<Ingest>;
  /** Goes on with a suspended or interrupted ingest; `undefined` if nothing is left of it. */
  resume(options: IngestOptions, state: IngestState): Promise<Ingest | undefined>;
  /** Resolves when these blobs would survive a loss of power. */
  makeDurable(digests: readonly Digest[]): Promise<void>;
  /** All blobs. A store that can verify blobs lists those after a digest, in the order of digests. */
  list(after?: Digest): AsyncIterable<StoredBlob>;
  /** It is no error if the blob is not there. The server never deletes a blob that is being read. */
  delete(digest: Digest): Promise<void>;
  /** Drops the remains of all ingests except those whose ids are given. Recent ones stay. */
  sweep(liveIngests: ReadonlySet<string>): Promise<void>;
  /** Free bytes; `undefined` if there is no such figure. */
  freeBytes(): Promise<number | undefined>;
  /**
   * Implement this if nothing else notices when stored bytes go bad. Reads all of a blob. A damaged blob is set aside: it
   * counts as absent from then on, and can be published again.
   *
   * @param pace called after a number of bytes, to slow the reading down
   */
  verify?(digest: Digest, pace?: (bytes: number) => Promise<void>): Promise<BlobState>;
  /** Implement this if clients can fetch a blob without this server: a URL that works for a while. */
  presign?(digest: Digest, options: { readonly expiresIn: number }): Promise<string | undefined>;
  /**
   * Whether the store can be reached, read and written. Rejects with the kind `read-only` if it can only be read, and
   * with `no-space` if only room is missing.
   */
  probe(): Promise<void>;
  close(): Promise<void>;
}
