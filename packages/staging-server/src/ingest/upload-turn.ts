import type { Digester } from "@kindling/staging-client";
import type { UploadRecord } from "../metadata/uploads.ts";
import type { Ingest } from "../stores/blob-store.ts";
import type { UploadBook } from "./upload-book.ts";
import type { UploadJournal } from "./upload-journal.ts";

/** One request's right to an upload: no other request writes to it until this right has ended. */
export interface UploadTurn {
  readonly record: UploadRecord;
  readonly ingest: Ingest;
  /** The hash of all bytes so far; `undefined` if it is lost. */
  readonly hash: Digester | undefined;
  /** Aborted when a later request for the same upload takes over. */
  readonly signal: AbortSignal;
  /** Ends it: the request got this far, and what it wrote is kept for the next turn. */
  suspend(): Promise<void>;
  /** Ends it: the storage failed for now. Bytes that were safe before are still safe. Later bytes may be lost. */
  abandon(): Promise<void>;
  /** Ends it: the upload is of no use any more, and is dropped. */
  drop(): Promise<void>;
  /** All bytes are here and right; to be called before they are published. */
  verified(): Promise<void>;
  /** Ends it: the file is published. */
  complete(): Promise<void>;
  /** Ends it like `abandon` if it has not ended yet. The code that began a turn always calls this. */
  end(): Promise<void>;
}

export interface TurnOptions {
  readonly record: UploadRecord;
  readonly writer: string;
  readonly ingest: Ingest;
  readonly hash: Digester | undefined;
  readonly signal: AbortSignal;
  readonly journal: UploadJournal;
  /** Gets what the upload takes up when it has ended. */
  readonly book: Pick<UploadBook, "reached" | "completed">;
  /** Keeps the running hash for the next turn. */
  readonly keepHash: (hash: Digester, offset: number) => void;
  readonly onVerified: () => void;
  readonly forget: () => Promise<void>;
  /** Lets the next request in. */
  readonly leave: () => void;
}

/** Each way to end it closes the ingest and lets the next request in, even if a step fails. */
export function uploadTurn(options: TurnOptions): UploadTurn {
  const { record, writer, ingest, hash, signal, journal, book } = options;
  const { id } = record;
  let ended = false;

  async function ending(finish: () => Promise<void>): Promise<void> {
    ended = true;
    try {
      await finish();
    } catch (error) {
      await ingest.abandon().catch(() => undefined);
      throw error;
    } finally {
      options.leave();
    }
  }

  const abandon = (): Promise<void> =>
    ending(async () => {
      book.reached(id, ingest.offset);
      await ingest.abandon();
    });
  return {
    record,
    ingest,
    hash,
    signal,
    suspend: () =>
      ending(async () => {
        const state = await ingest.suspend();
        if (hash !== undefined) options.keepHash(hash, ingest.offset);
        book.reached(id, ingest.offset);
        await journal.save(id, writer, { state, offset: ingest.offset });
      }),
    abandon,
    drop: () =>
      ending(async () => {
        if (!(await journal.isMine(id, writer))) {
          await ingest.abandon();
          return;
        }
        await ingest.abort();
        await options.forget();
      }),
    async verified() {
      await journal.save(id, writer, { verified: true });
      options.onVerified();
    },
    complete: () =>
      ending(async () => {
        await journal.save(id, writer, { complete: true, offset: record.size });
        book.completed(id);
      }),
    async end() {
      if (!ended) await abandon();
    },
  };
}
