import { parseDigest, type Digest } from "@kindling/staging-client";
import type { IngestState } from "../stores/blob-store.ts";
import type { DocumentStore } from "../stores/document-store.ts";
import { documentCollection, type Collection } from "./document.ts";
import { isBoolean, isListOf, isNumber, isOptional, isRecord, isText, type Shape } from "./shape.ts";

/** What must be known of a resumable upload after a restart, or at another server. */
export interface UploadRecord {
  readonly id: string;
  readonly namespace: string;
  /** The leases that get the file: of all clients that asked for this upload, but only the latest ones. */
  readonly leases: readonly string[];
  readonly digest: Digest;
  readonly size: number;
  /** Service seconds of the last request for it. */
  readonly touchedAt: number;
  /** The data that the store needs to go on; absent before the first byte. */
  readonly state?: IngestState;
  /** Bytes that are safe as of `state`. */
  readonly offset: number;
  /** All bytes are here and right; they are about to be published, or were when the server stopped. */
  readonly verified?: boolean;
  readonly complete: boolean;
  /** The server and request that may write to it. A later request takes over, and the earlier one must stop. */
  readonly writer: string;
}

export type Uploads = Collection<UploadRecord>;

const isUploadRecord: Shape<UploadRecord> = isRecord<UploadRecord>({
  id: isText,
  namespace: isText,
  leases: isListOf(isText),
  digest: (value): value is Digest => isText(value) && parseDigest(value) !== undefined,
  size: isNumber,
  touchedAt: isNumber,
  state: isOptional(isRecord<IngestState>({})),
  offset: isNumber,
  verified: isOptional(isBoolean),
  complete: isBoolean,
  writer: isText,
});

export function uploadStore(documents: DocumentStore): Uploads {
  return documentCollection(documents, "uploads", isUploadRecord);
}
