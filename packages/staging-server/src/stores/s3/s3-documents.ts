import { listFolders, listObjects } from "@kindling/object-store/s3";
import type { DamageListener } from "../damage.ts";
import { damagedVersions } from "../damaged-versions.ts";
import { isDocumentName, type DocumentName, type DocumentStore } from "../document-store.ts";
import {
  DOCUMENT_SUFFIX,
  getDocument,
  keyOf,
  putDocument,
  readObject,
  type DocumentObjects,
} from "./document-objects.ts";
import type { S3Keys } from "./s3-keys.ts";
import type { S3Objects } from "./s3-objects.ts";

/**
 * Documents as objects. Their versions are entity tags; conditional writes (`If-None-Match: *`, `If-Match`) give
 * compare-and-swap.
 */
export function s3Documents(
  client: S3Objects,
  keys: S3Keys,
  onDamage: DamageListener = () => undefined,
): DocumentStore {
  const damaged = damagedVersions(onDamage);
  const objects: DocumentObjects = { client, keys, damaged };
  return {
    shared: true,
    get: (collection, name) => getDocument(objects, collection, name),
    put: (collection, name, value, { expect }) => putDocument(objects, collection, name, value, expect),
    async delete(collection, name) {
      await client.delete(keyOf(objects, collection, name));
      damaged.forget(collection, name);
    },
    async list(collection, beginning = "") {
      const prefix = `${keys.meta}${collection}/`;
      const names: DocumentName[] = [];
      for await (const { key, etag } of listObjects(client, `${prefix}${beginning}`)) {
        if (!key.endsWith(DOCUMENT_SUFFIX)) continue;
        // Keys one level deeper belong to another collection, and keys with other names belong to other programs.
        const name = key.slice(prefix.length, -DOCUMENT_SUFFIX.length);
        if (isDocumentName(name)) names.push({ name, version: etag });
      }
      return names;
    },
    collections: (first) => listFolders(client, `${keys.meta}${first}/`),
    setAside: (collection, name, version, reason) => {
      damaged.note(collection, name, version, reason);
      return Promise.resolve();
    },
    damaged: (collection) => Promise.resolve(damaged.names(collection)),
    // A damaged document stays in its place.
    remains: async (collection, name) => (await readObject(objects, keyOf(objects, collection, name)))?.text,
  };
}
