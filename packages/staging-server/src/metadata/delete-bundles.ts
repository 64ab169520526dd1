import { StoreError } from "../errors/store-error.ts";
import type { DocumentStore } from "../stores/document-store.ts";
import type { BundleRecord } from "./bundle-record.ts";
import type { Collection } from "./document.ts";
import type { Manifests } from "./manifests.ts";

export interface BundleDocuments {
  readonly documents: DocumentStore;
  readonly stored: Collection<BundleRecord>;
  readonly manifests: Manifests;
}

/**
 * Deletes a bundle if it is still as the caller found it; `false` if it has changed since. When this resolves, it is gone
 * for good.
 */
export async function deleteBundleIf(
  { documents, stored, manifests }: BundleDocuments,
  id: string,
  holds: (record: BundleRecord) => boolean,
): Promise<boolean> {
  const alone = documents.deleteVersion !== undefined;
  if (!(await (alone ? deleteRecord(documents, stored, id, holds) : markDeleted(stored, id, holds)))) return false;
  manifests.forget(id);
  // The record is deleted last: as long as it is there, a server that stopped in between finds what is left to do. If the
  // record is gone already, the manifest is a stray.
  await manifests.delete(id).catch(ignoreFailure);
  if (!alone) await stored.delete(id);
  return true;
}

/** For stores that can delete one version of a document. */
async function deleteRecord(
  documents: DocumentStore,
  stored: Collection<BundleRecord>,
  id: string,
  holds: (record: BundleRecord) => boolean,
): Promise<boolean> {
  for (;;) {
    const found = await stored.get(id);
    if (found === undefined || found.value.state === "deleted" || !holds(found.value)) return false;
    try {
      await documents.deleteVersion?.("bundles", id, found.version);
      return true;
    } catch (error) {
      if (!(error instanceof StoreError) || error.kind !== "conflict") throw error;
    }
  }
}

async function markDeleted(
  stored: Collection<BundleRecord>,
  id: string,
  holds: (record: BundleRecord) => boolean,
): Promise<boolean> {
  let mine = false;
  await stored.update(id, (record) => {
    mine = record.state !== "deleted" && holds(record);
    return mine ? { ...record, state: "deleted" } : undefined;
  });
  return mine;
}

function ignoreFailure(error: unknown): void {
  if (!(error instanceof StoreError)) throw error;
}
