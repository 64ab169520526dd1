import { digester, type Digest } from "@kindling/staging-client";
import { randomUUID } from "node:crypto";
import type { UploadRecord } from "../metadata/uploads.ts";
import { uploadPrefix } from "./upload-book.ts";
import type { UploadContext } from "./upload-context.ts";

export interface NewUpload {
  readonly namespace: string;
  readonly lease: string;
  readonly digest: Digest;
  readonly size: number;
}

// Another server may be receiving an upload that this server does not know.
const SHARED_IDLE_SECONDS = 60;
// How many clients may send the same file at the same time and share the upload; further clients can send it on their
// own.
const MOST_LEASES = 16;

/** @param isActive whether a client is sending an upload */
export async function createUpload(
  context: UploadContext,
  upload: NewUpload,
  isActive: (id: string) => boolean,
): Promise<UploadRecord> {
  const { kept } = context;
  const prefix = uploadPrefix(upload.namespace, upload.digest);
  const adopted = await adoptable(context, prefix, upload, isActive);
  if (adopted !== undefined) return adopted;
  const id = `${prefix}${randomUUID()}`;
  kept.begin(id, upload.namespace);
  try {
    return await createNew(context, id, upload);
  } catch (error) {
    kept.forget(id);
    throw error;
  }
}

async function adoptable(
  { records, serviceClock, shared, kept }: UploadContext,
  prefix: string,
  upload: NewUpload,
  isActive: (id: string) => boolean,
): Promise<UploadRecord | undefined> {
  for (const name of await kept.like(prefix)) {
    if (isActive(name)) continue;
    const found = (await records.get(name))?.value;
    if (found === undefined || found.complete || found.size !== upload.size) continue;
    if (shared && serviceClock.seconds() - found.touchedAt < SHARED_IDLE_SECONDS) continue;
    const adopted = await records.update(name, (record) =>
      record.complete
        ? undefined
        : { ...record, leases: joined(record.leases, upload.lease), touchedAt: serviceClock.seconds() },
    );
    if (adopted !== undefined && !adopted.value.complete) return adopted.value;
  }
  return undefined;
}

function joined(leases: readonly string[], lease: string): readonly string[] {
  return leases.includes(lease) ? leases : [...leases, lease].slice(-MOST_LEASES);
}

async function createNew(
  { records, store, serviceClock, hashes }: UploadContext,
  id: string,
  upload: NewUpload,
): Promise<UploadRecord> {
  const touchedAt = serviceClock.seconds();
  const { lease, ...file } = upload;
  const state = await (await store.begin({ id, size: upload.size })).suspend();
  const record: UploadRecord = {
    id,
    ...file,
    leases: [lease],
    touchedAt,
    state,
    offset: 0,
    complete: false,
    writer: "",
  };
  try {
    await records.create(id, record, { relaxed: true });
  } catch (error) {
    const ingest = await store.resume({ id, size: upload.size }, state).catch(() => undefined);
    await ingest?.abort();
    throw error;
  }
  hashes.set(id, { hash: digester(), offset: 0 });
  return record;
}
