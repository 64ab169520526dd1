import type { Clock } from "@kindling/outside";
import type { Digester } from "@kindling/staging-client";
import type { Ledger } from "../ledger/ledger.ts";
import type { ServiceClock } from "../metadata/service-clock.ts";
import type { Uploads } from "../metadata/uploads.ts";
import type { BlobStore } from "../stores/blob-store.ts";
import { uploadBook, type UploadBook } from "./upload-book.ts";
import { uploadJournal, type UploadJournal } from "./upload-journal.ts";

export interface UploadSessionsOptions {
  readonly records: Uploads;
  readonly store: BlobStore;
  readonly serviceClock: ServiceClock;
  readonly clock: Clock;
  /** Distinguishes this server from others that share its store. */
  readonly replica: string;
  readonly shared: boolean;
  readonly book: Ledger;
}

/** The uploads of a server: their records, and what only this process knows. */
export interface UploadContext extends Omit<UploadSessionsOptions, "book"> {
  readonly journal: UploadJournal;
  /** What uploads take up on this server. */
  readonly kept: UploadBook;
  /**
   * Running hashes of interrupted uploads, with their offsets. A running hash cannot be stored, so an upload that goes on
   * at another server is read back at its end.
   */
  readonly hashes: Map<string, { readonly hash: Digester; readonly offset: number }>;
  /** Uploads whose bytes were found right, even if that could not be recorded. */
  readonly verified: Set<string>;
}

export function uploadContext({ book, ...options }: UploadSessionsOptions): UploadContext {
  return {
    ...options,
    journal: uploadJournal(options),
    kept: uploadBook(options.records, book, options.shared),
    hashes: new Map(),
    verified: new Set(),
  };
}

export async function forgetUpload({ records, kept, hashes, verified }: UploadContext, id: string): Promise<void> {
  hashes.delete(id);
  verified.delete(id);
  await records.delete(id);
  kept.forget(id);
}
