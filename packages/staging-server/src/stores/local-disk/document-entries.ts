import type { DocumentName, Version } from "../document-store.ts";

/** What memory holds of a document. */
export interface DocumentEntry {
  readonly version: Version;
  /** The JSON text, if it is small. */
  readonly text: string | undefined;
}

/** All documents of a folder, in memory. */
export interface DocumentEntries {
  get(collection: string, name: string): DocumentEntry | undefined;
  remember(collection: string, name: string, version: Version, json: string): void;
  forget(collection: string, name: string): void;
  /** Forgets a collection that has no entries any more; `false` if it has some. */
  forgetIfEmpty(collection: string): boolean;
  /** The names of a collection with this beginning. */
  list(collection: string, prefix: string): DocumentName[];
  /** The second parts of the collections of two parts. */
  collections(first: string): string[];
}

// Documents up to this size stay in memory; larger ones, which are manifests, are read when they are needed.
const CACHE_BELOW_BYTES = 4096;

export function documentEntries(): DocumentEntries {
  const entries = new Map<string, Map<string, DocumentEntry>>();
  return {
    get: (collection, name) => entries.get(collection)?.get(name),
    remember(collection, name, version, json) {
      const known = entries.get(collection) ?? new Map<string, DocumentEntry>();
      entries.set(collection, known);
      known.set(name, { version, text: json.length <= CACHE_BELOW_BYTES ? json : undefined });
    },
    forget: (collection, name) => void entries.get(collection)?.delete(name),
    forgetIfEmpty: (collection) => entries.get(collection)?.size === 0 && entries.delete(collection),
    list: (collection, prefix) =>
      [...(entries.get(collection) ?? [])]
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, { version }]) => ({ name, version })),
    collections: (first) =>
      [...entries.keys()].filter((key) => key.startsWith(`${first}/`)).map((key) => key.slice(first.length + 1)),
  };
}
