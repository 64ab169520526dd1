import type { DamageListener } from "../damage.ts";
import { damagedVersions } from "../damaged-versions.ts";
import { isDocumentName, type DocumentName, type DocumentStore } from "../document-store.ts";
import type { BucketKeys } from "./bucket-keys.ts";
import type { BucketObjects } from "./bucket-objects.ts";
import { DOCUMENT_SUFFIX, getDocument, keyOf, putDocument, type DocumentObjects } from "./document-objects.ts";

/** Documents as objects, with the versions of the objects; the store's conditional writes give compare-and-swap. */
export function bucketDocuments(
  bucket: BucketObjects,
  keys: BucketKeys,
  onDamage: DamageListener = () => undefined,
): DocumentStore {
  const damaged = damagedVersions(onDamage);
  const objects: DocumentObjects = { bucket, keys, damaged };
  return {
    shared: true,
    get: (collection, name) => getDocument(objects, collection, name),
    put: (collection, name, value, { expect }) => putDocument(objects, collection, name, value, expect),
    async delete(collection, name) {
      await bucket.delete(keyOf(objects, collection, name));
      damaged.forget(collection, name);
      // A collection of two parts belongs to one lease; it is removed with its last entry.
      if (collection.includes("/")) await bucket.dropFolder?.(`${keys.meta}${collection}`);
    },
    async list(collection, beginning = "") {
      const prefix = `${keys.meta}${collection}/`;
      const names: DocumentName[] = [];
      for await (const { key, version } of bucket.list(`${prefix}${beginning}`)) {
        if (!key.endsWith(DOCUMENT_SUFFIX)) continue;
        // Keys one level deeper belong to another collection, and keys with other names belong to other programs.
        const name = key.slice(prefix.length, -DOCUMENT_SUFFIX.length);
        if (isDocumentName(name)) names.push({ name, version });
      }
      return names;
    },
    collections: (first) => bucket.folders(`${keys.meta}${first}/`),
    setAside: (collection, name, version, reason) => {
      damaged.note(collection, name, version, reason);
      return Promise.resolve();
    },
    damaged: (collection) => Promise.resolve(damaged.names(collection)),
    // A damaged document stays in its place.
    remains: async (collection, name) => (await bucket.readText(keyOf(objects, collection, name)))?.text,
  };
}
