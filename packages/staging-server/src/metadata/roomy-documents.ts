import { StoreError } from "../errors/store-error.ts";
import type { DocumentStore } from "../stores/document-store.ts";

// The collections in which clients create documents. All other documents keep the server running, or make room.
const GROWING = /^(leases|lease-entries\/.*|uploads|bundles|manifests)$/;

/** Documents to which none is added if there is no room for it; existing ones can be changed and deleted. */
export function roomyDocuments(
  documents: DocumentStore,
  hasRoomFor: (bytes: number) => Promise<boolean>,
): DocumentStore {
  return {
    ...documents,
    async put(collection, name, value, options) {
      const grows = options.expect === undefined && GROWING.test(collection);
      if (grows && !(await hasRoomFor(sizeOf(value)))) {
        throw new StoreError("no-space", "only the space that must stay free is left");
      }
      return await documents.put(collection, name, value, options);
    },
  };
}

/** A document is small unless it is a list of many things. */
function sizeOf(value: unknown): number {
  const { files, digests } = value as { readonly files?: unknown; readonly digests?: unknown };
  const list = Array.isArray(files) ? files : Array.isArray(digests) ? digests : [];
  return list.length < 16 ? 0 : JSON.stringify(value).length;
}
