import { semaphore } from "./semaphore.ts";
import type { DocumentStore } from "../document-store.ts";

/**
 * Limits how many documents are read or written at a time: each has an open file, and there may be many requests.
 *
 * @param places half of them for reading, which must not wait for disks to be flushed
 */
export function limitedDocuments(documents: DocumentStore, places: number): DocumentStore {
  const half = Math.max(1, Math.floor(places / 2));
  const reading = semaphore(half);
  const writing = semaphore(half);
  return {
    ...documents,
    get: (collection, name) => reading.run(() => documents.get(collection, name)),
    put: (collection, name, value, options) => writing.run(() => documents.put(collection, name, value, options)),
    delete: (collection, name) => writing.run(() => documents.delete(collection, name)),
    ...(documents.deleteVersion !== undefined && {
      deleteVersion: (collection, name, version) =>
        writing.run(async () => await documents.deleteVersion?.(collection, name, version)),
    }),
    setAside: (collection, name, version, reason) =>
      writing.run(() => documents.setAside(collection, name, version, reason)),
    damaged: (collection) => reading.run(() => documents.damaged(collection)),
    remains: (collection, name) => reading.run(() => documents.remains(collection, name)),
  };
}
