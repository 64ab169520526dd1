/** Marks one state of a document; equal versions mean equal contents. Opaque. */
export type Version = string;

export interface StoredDocument {
  readonly value: unknown;
  readonly version: Version;
}

export interface DocumentName {
  /** The name within its collection. */
  readonly name: string;
  readonly version: Version;
}

export interface PutOptions {
  /**
   * What must be there now: exactly this version, or no document (`undefined`). Otherwise the put fails with a
   * `StoreError` of the kind `conflict` and changes nothing.
   */
  readonly expect: Version | undefined;
  /** A loss of power may undo this put, but the end of the process may not. In both cases the document is whole or absent. */
  readonly relaxed?: boolean;
}

/**
 * Small JSON documents that change only by compare-and-swap, so that any number of servers may share them. A document
 * is addressed by its collection (`bundles`, `lease-entries/<id>`) and its name; both consist of letters, digits, dashes
 * and, in a collection, one slash.
 *
 * A document whose contents are not what was put there counts as absent, whatever the reason: `get` does not return it,
 * and another one can be put in its place. The store reports the damage once, and keeps the remains for people.
 *
 * All methods reject with a `StoreError`. After `put` resolves, every later `get` and `list` shows the change.
 */
export interface DocumentStore {
  get(collection: string, name: string): Promise<StoredDocument | undefined>;
  put(collection: string, name: string, value: unknown, options: PutOptions): Promise<Version>;
  /** Unconditional: the caller has made sure with a last `put` that no other server changes the document any more. */
  delete(collection: string, name: string): Promise<void>;
  /**
   * All documents of one collection, in no order. Damaged ones may be among them.
   *
   * @param prefix the beginning that the names must have
   */
  list(collection: string, prefix?: string): Promise<readonly DocumentName[]>;
  /** The collections below a first part: `lease-entries` gives the ids that have entries. */
  collections(first: string): Promise<readonly string[]>;
  /**
   * Marks a document as damaged that can be read but has wrong contents. Does nothing if it has changed since.
   *
   * @param reason what is wrong with it, for people
   */
  setAside(collection: string, name: string, version: Version, reason: string): Promise<void>;
  /** Names of damaged documents whose remains are still kept. */
  damaged(collection: string): Promise<readonly string[]>;
  /** What is left of a damaged document; `undefined` if nothing is. */
  remains(collection: string, name: string): Promise<string | undefined>;
  /**
   * Deletes one version of a document for good: no loss of power brings it back. Implement this if no put is needed
   * before, so that it also works on a full disk.
   *
   * @throws StoreError `conflict` if the document has another version now
   */
  deleteVersion?(collection: string, name: string, version: Version): Promise<void>;
  /** Whether other processes may use the same documents. */
  readonly shared: boolean;
}

const NAME = /^[A-Za-z0-9-]{1,128}$/;

/** Whether a document, or a part of a collection, may have this name. */
export function isDocumentName(name: string): boolean {
  return NAME.test(name);
}
