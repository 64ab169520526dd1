import { digester } from "@kindling/staging-client";
import type { UploadRecord } from "../metadata/uploads.ts";
import type { IngestState } from "../stores/blob-store.ts";
import { forgetUpload, type UploadContext } from "./upload-context.ts";
import { uploadTurn, type UploadTurn } from "./upload-turn.ts";

/** The writer of an upload. */
export interface UploadWriter {
  /** No other writer, of this server or of others, has the same name. */
  readonly name: string;
  /** Aborted when a later request for the same upload takes over. */
  readonly signal: AbortSignal;
  /** Lets the next request in. */
  readonly leave: () => void;
}

/** @returns `complete` if there is nothing more to write; `undefined` if there is no such upload, or nothing is left of it */
export async function openUpload(
  context: UploadContext,
  id: string,
  { name: writer, signal, leave }: UploadWriter,
): Promise<UploadTurn | "complete" | undefined> {
  const { store, journal, kept, hashes, verified } = context;
  const record = await journal.take(id, writer);
  if (record === undefined) return undefined;
  if (record.complete) return "complete";
  // The blob was published, but the request ended before that was recorded: what is left of the ingest may be the blob
  // itself.
  if (await isPublished(context, record)) return await completed(context, record, writer);

  const onState = (state: IngestState, offset: number): Promise<void> => journal.save(id, writer, { state, offset });
  const ingest = await store.resume({ id, size: record.size, onState }, record.state ?? {});
  if (ingest === undefined) {
    await forgetUpload(context, id);
    return undefined;
  }
  const known = hashes.get(id);
  hashes.delete(id);
  const hash = known?.offset === ingest.offset ? known.hash : ingest.offset === 0 ? digester() : undefined;
  return uploadTurn({
    record,
    writer,
    ingest,
    hash,
    signal,
    journal,
    book: kept,
    keepHash: (hash, offset) => hashes.set(id, { hash, offset }),
    onVerified: () => verified.add(id),
    forget: () => forgetUpload(context, id),
    leave,
  });
}

async function isPublished({ store, verified }: UploadContext, record: UploadRecord): Promise<boolean> {
  const wasVerified = record.verified === true || verified.has(record.id);
  return wasVerified && (await store.stat(record.digest)) === record.size;
}

async function completed({ journal, kept }: UploadContext, record: UploadRecord, writer: string): Promise<"complete"> {
  await journal.save(record.id, writer, { complete: true, offset: record.size });
  kept.completed(record.id);
  return "complete";
}
