import { StoreError } from "../errors/store-error.ts";
import { isDocumentName, type DocumentStore, type StoredDocument, type Version } from "../stores/document-store.ts";
import type { Shape } from "./shape.ts";

/** A document with its contents, checked to be what this program writes there. */
export interface Document<T> {
  readonly value: T;
  readonly version: Version;
}

/** One collection whose documents all have the same type. */
export interface Collection<T> {
  get(name: string): Promise<Document<T> | undefined>;
  create(name: string, value: T, options?: { readonly relaxed?: boolean }): Promise<Version>;
  /**
   * Changes a document. It tries again until no other writer has changed it meanwhile.
   *
   * @param change returns the new contents; `undefined` leaves the document as it is
   * @returns the document as it is afterwards; `undefined` if it is not there
   */
  update(
    name: string,
    change: (value: T) => T | undefined,
    options?: { readonly relaxed?: boolean },
  ): Promise<Document<T> | undefined>;
  delete(name: string): Promise<void>;
  /** @param prefix the beginning that the names must have */
  list(prefix?: string): ReturnType<DocumentStore["list"]>;
}

// At worst, two servers that change the same document take turns. More attempts mean that something is wrong.
const MAX_ATTEMPTS = 20;

export function documentCollection<T>(store: DocumentStore, collection: string, shape: Shape<T>): Collection<T> {
  async function checked(name: string, document: StoredDocument | undefined): Promise<Document<T> | undefined> {
    if (document === undefined) return undefined;
    const { value, version } = document;
    if (shape(value)) return { value, version };
    await store.setAside(collection, name, version, "it is not a document of its kind");
    return undefined;
  }

  async function get(name: string): Promise<Document<T> | undefined> {
    // Names come from requests, too: a name that no document can have means a document that does not exist.
    return isDocumentName(name) ? await checked(name, await store.get(collection, name)) : undefined;
  }

  return {
    get,
    create: (name, value, { relaxed = false } = {}) =>
      store.put(collection, name, value, { expect: undefined, relaxed }),
    async update(name, change, { relaxed = false } = {}) {
      for (let attempt = 1; ; attempt++) {
        const current = await get(name);
        if (current === undefined) return undefined;
        const value = change(current.value);
        if (value === undefined) return current;
        try {
          const version = await store.put(collection, name, value, { expect: current.version, relaxed });
          return { value, version };
        } catch (error) {
          if (!(error instanceof StoreError) || error.kind !== "conflict" || attempt === MAX_ATTEMPTS) throw error;
        }
      }
    },
    delete: (name) => store.delete(collection, name),
    list: (prefix) => store.list(collection, prefix),
  };
}
