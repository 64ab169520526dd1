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
  /** Tells this server from others that share its store. */
  readonly replica: string;
  readonly shared: boolean;
  readonly book: Ledger;
}

/** The uploads of a server: what is written down of them, and what only this process knows. */
export interface UploadContext extends Omit<UploadSessionsOptions, "book"> {
  readonly journal: UploadJournal;
  /** What uploads take of this server. */
  readonly kept: UploadBook;
  /**
   * Running hashes of interrupted uploads, with the offset they stand at. A hash cannot be written down, so that an upload
   * that goes on elsewhere is read back at its end.
   */
  readonly hashes: Map<string, { readonly hash: Digester; readonly offset: number }>;
  /** Uploads whose bytes were found right, also where that could not be written down. */
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
