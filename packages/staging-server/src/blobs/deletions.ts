import type { Digest } from "@kindling/staging-client";
import { documentCollection } from "../metadata/document.ts";
import { isListOf, isRecord, isText, type Shape } from "../metadata/shape.ts";
import type { DocumentStore } from "../stores/document-store.ts";

/** The blobs that are being deleted at this moment; see `blobs.ts` for the reason to list them. */
export interface Deletions {
  current(): Promise<ReadonlySet<Digest>>;
  /** Returns only when every server sees it. */
  set(digests: readonly Digest[]): Promise<void>;
}

interface DeletingRecord {
  readonly digests: readonly Digest[];
}

const isDeletingRecord: Shape<DeletingRecord> = isRecord<DeletingRecord>({
  digests: isListOf((value): value is Digest => isText(value)),
});

const NAME = "deleting";

export function blobDeletions(documents: DocumentStore): Deletions {
  return documents.shared ? sharedDeletions(documents) : ownDeletions();
}

/** If no other server reads the list, it need not be written: on a full disk that would be impossible. */
function ownDeletions(): Deletions {
  let listed: ReadonlySet<Digest> = new Set();
  return {
    current: () => Promise.resolve(listed),
    set(digests) {
      listed = new Set(digests);
      return Promise.resolve();
    },
  };
}

function sharedDeletions(documents: DocumentStore): Deletions {
  const states = documentCollection(documents, "state", isDeletingRecord);
  return {
    current: async () => new Set((await states.get(NAME))?.value.digests),
    async set(digests) {
      if ((await states.update(NAME, () => ({ digests }))) === undefined) await states.create(NAME, { digests });
    },
  };
}
