import type { DocumentStore, StoredDocument, Version } from "./document-store.ts";
import { StoreError } from "../stores/store-error.ts";

/** A document with its contents read as what this program wrote there. */
export interface Document<T> {
  readonly value: T;
  readonly version: Version;
}

/** One collection whose documents all have the same type. */
export interface Collection<T> {
  get(name: string): Promise<Document<T> | undefined>;
  create(name: string, value: T, options?: { readonly relaxed?: boolean }): Promise<Version>;
  /**
   * Changes a document, again and again until nobody else changed it meanwhile.
   *
   * @param change gives the new contents; `undefined` leaves the document as it is
   * @returns the document as it is afterwards; `undefined` if it is not there
   */
  update(name: string, change: (value: T) => T | undefined): Promise<Document<T> | undefined>;
  delete(name: string): Promise<void>;
  /** @param prefix only those whose names begin like that */
  list(prefix?: string): ReturnType<DocumentStore["list"]>;
}

// Names come from requests, too: one that no document can have is that of a document which is not there.
const NAME = /^[A-Za-z0-9-]{1,128}$/;

// Two servers that change the same document take turns at worst; more attempts mean that something is wrong.
const MAX_ATTEMPTS = 20;

export function documentCollection<T>(store: DocumentStore, collection: string): Collection<T> {
  // The documents are written by this program alone; their shape is that of the type.
  const typed = (document: StoredDocument | undefined): Document<T> | undefined => document as Document<T> | undefined;
  return {
    get: async (name) => (NAME.test(name) ? typed(await store.get(collection, name)) : undefined),
    create: (name, value, { relaxed = false } = {}) =>
      store.put(collection, name, value, { expect: undefined, relaxed }),
    async update(name, change) {
      if (!NAME.test(name)) return undefined;
      for (let attempt = 1; ; attempt++) {
        const current = typed(await store.get(collection, name));
        if (current === undefined) return undefined;
        const value = change(current.value);
        if (value === undefined) return current;
        try {
          return { value, version: await store.put(collection, name, value, { expect: current.version }) };
        } catch (error) {
          if (!(error instanceof StoreError) || error.kind !== "conflict" || attempt === MAX_ATTEMPTS) throw error;
        }
      }
    },
    delete: (name) => store.delete(collection, name),
    list: (prefix) => store.list(collection, prefix),
  };
}
