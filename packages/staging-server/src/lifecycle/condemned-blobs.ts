import { documentCollection } from "../metadata/document.ts";
import type { DocumentStore } from "../metadata/document-store.ts";
import { isMapOf, isNumber, isRecord } from "../metadata/shape.ts";
import { StoreError } from "../stores/store-error.ts";

/** Since when nothing has referred to a blob, in service seconds, by digest. */
export type CondemnedSince = Readonly<Record<string, number>>;

/** Blobs that nothing refers to, while their grace lasts. */
export interface CondemnedBlobs {
  since(): Promise<CondemnedSince>;
  set(since: CondemnedSince): Promise<void>;
}

interface CondemnedRecord {
  readonly since: CondemnedSince;
}

const NAME = "condemned";

export function condemnedBlobs(documents: DocumentStore): CondemnedBlobs {
  const states = documentCollection(documents, "state", isRecord<CondemnedRecord>({ since: isMapOf(isNumber) }));
  // Where no other server deletes, this one need not read what it has written, nor write it to go on: on a full disk,
  // nothing would ever be freed.
  let own: CondemnedSince | undefined;
  return {
    async since() {
      return own ?? (await states.get(NAME))?.value.since ?? {};
    },
    async set(since) {
      if (!documents.shared) own = since;
      try {
        if ((await states.update(NAME, () => ({ since }))) === undefined) await states.create(NAME, { since });
      } catch (error) {
        if (documents.shared || !(error instanceof StoreError)) throw error;
      }
    },
  };
}
