import { sleep, type Clock } from "@kindling/outside";
import { digester, type Digest, type Digester } from "@kindling/staging-client";
import { randomUUID } from "node:crypto";
import { ProblemError } from "../errors/problem-error.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { ServiceClock } from "../metadata/service-clock.ts";
import type { UploadRecord, Uploads } from "../metadata/uploads.ts";
import type { BlobStore, IngestState } from "../stores/blob-store.ts";
import { uploadBook, uploadPrefix } from "./upload-book.ts";
import { uploadJournal } from "./upload-journal.ts";
import { uploadTurn, type UploadTurn } from "./upload-turn.ts";

export interface NewUpload {
  readonly namespace: string;
  readonly lease: string;
  readonly digest: Digest;
  readonly size: number;
}

/** The resumable uploads of a server (draft-ietf-httpbis-resumable-upload, section 4). */
export interface UploadSessions {
  /**
   * A new upload, or the interrupted one of the same file for the same namespace, which nobody is sending any more.
   *
   * @throws ProblemError `limit-reached`, `quota-exceeded`
   */
  create(upload: NewUpload): Promise<UploadRecord>;
  find(id: string): Promise<UploadRecord | undefined>;
  /**
   * The right to write to an upload. A request that has it must give way: "the server SHOULD prevent race conditions by
   * terminating the previous request before processing the new request" (section 4.6).
   *
   * @returns `complete` if there is nothing more to write; `undefined` if there is no such upload, or nothing of it left
   */
  begin(id: string): Promise<UploadTurn | "complete" | undefined>;
  /** Ends whoever writes, and forgets the upload. */
  cancel(id: string): Promise<void>;
  /** Forgets uploads that nobody has touched for so long; returns how many. */
  expire(idleSeconds: number): Promise<number>;
  /** All that can be resumed. */
  ids(): Promise<ReadonlySet<string>>;
  /** Reads the uploads of an earlier process, where this one has the documents for itself. */
  load(): Promise<void>;
  /** Counts the uploads of other servers. */
  countOthers(): Promise<void>;
}

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

// A finished upload can be asked about by a client that did not get the answer.
const COMPLETED_SECONDS = 900;
// Another server may be receiving an upload that this one knows nothing of.
const SHARED_IDLE_SECONDS = 60;
// A request that has been told to end and does not is held up by its disk.
const GIVE_WAY_MS = 30_000;

interface Active {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

// As many clients may send the same file at the same time and share in what arrives; more can always send it anew.
const MOST_LEASES = 16;

function joined(leases: readonly string[], lease: string): readonly string[] {
  return leases.includes(lease) ? leases : [...leases, lease].slice(-MOST_LEASES);
}

export function uploadSessions(options: UploadSessionsOptions): UploadSessions {
  const { records, store, serviceClock, clock, replica, shared, book } = options;
  const journal = uploadJournal(options);
  const kept = uploadBook(records, book, shared);
  const active = new Map<string, Active>();
  // Running hashes of interrupted uploads, with the offset they stand at. A hash cannot be written down, so that an
  // upload that goes on elsewhere is read back at its end.
  const hashes = new Map<string, { readonly hash: Digester; readonly offset: number }>();
  // Uploads whose bytes were found right, also where that could not be written down.
  const verified = new Set<string>();
  let turns = 0;

  async function adoptable(prefix: string, upload: NewUpload): Promise<UploadRecord | undefined> {
    for (const name of await kept.like(prefix)) {
      if (active.has(name)) continue;
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

  async function create(upload: NewUpload): Promise<UploadRecord> {
    const prefix = uploadPrefix(upload.namespace, upload.digest);
    const adopted = await adoptable(prefix, upload);
    if (adopted !== undefined) return adopted;
    const id = `${prefix}${randomUUID()}`;
    kept.begin(id, upload.namespace);
    try {
      return await createNew(id, upload);
    } catch (error) {
      kept.forget(id);
      throw error;
    }
  }

  async function createNew(id: string, upload: NewUpload): Promise<UploadRecord> {
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

  async function begin(id: string): Promise<UploadTurn | "complete" | undefined> {
    const abort = new AbortController();
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const previous = active.get(id);
    active.set(id, { abort, ended });
    const leaveNow = (): void => {
      if (active.get(id)?.abort === abort) active.delete(id);
      end();
    };
    // Not before the one before it has: one that is held up still has the upload.
    const leave = (): void => (previous === undefined ? leaveNow() : void previous.ended.then(leaveNow));
    try {
      if (previous !== undefined) await givenWay(previous);
      // Three requests at once: the one in the middle has been overtaken before it began.
      if (abort.signal.aborted) throw new ProblemError("conflict", "a later request for the same upload took over");
      const turn = await open(id, abort.signal, leave);
      if (turn === undefined || turn === "complete") leave();
      return turn;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async function givenWay(previous: Active): Promise<void> {
    previous.abort.abort(new Error("a later request took over"));
    const patience = new AbortController();
    const ended = previous.ended.then(() => true);
    const late = sleep(clock, GIVE_WAY_MS, patience.signal).then(() => false);
    const gone = await Promise.race([ended, late]);
    patience.abort();
    if (gone) return;
    throw new ProblemError("store-unavailable", "an earlier request for this upload is held up by the storage", {
      retryAfterSeconds: 5,
    });
  }

  async function open(
    id: string,
    signal: AbortSignal,
    leave: () => void,
  ): Promise<UploadTurn | "complete" | undefined> {
    const writer = `${replica}/${++turns}`;
    const record = await journal.take(id, writer);
    if (record === undefined) return undefined;
    if (record.complete) return "complete";
    // Published, and the request ended before that was written down: what is left of the ingest may be the blob itself.
    if (await isPublished(record)) return await completed(record, writer);

    const onState = (state: IngestState, offset: number): Promise<void> => journal.save(id, writer, { state, offset });
    const ingest = await store.resume({ id, size: record.size, onState }, record.state ?? {});
    if (ingest === undefined) {
      await forget(id);
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
      forget: () => forget(id),
      leave,
    });
  }

  async function isPublished(record: UploadRecord): Promise<boolean> {
    const wasVerified = record.verified === true || verified.has(record.id);
    return wasVerified && (await store.stat(record.digest)) === record.size;
  }

  async function completed(record: UploadRecord, writer: string): Promise<"complete"> {
    await journal.save(record.id, writer, { complete: true, offset: record.size });
    kept.completed(record.id);
    return "complete";
  }

  async function forget(id: string): Promise<void> {
    hashes.delete(id);
    verified.delete(id);
    await records.delete(id);
    kept.forget(id);
  }

  async function cancel(id: string): Promise<void> {
    const turn = await begin(id);
    if (turn === "complete") await forget(id);
    else await turn?.drop();
  }

  return {
    create,
    find: async (id) => (await records.get(id))?.value,
    begin,
    cancel,
    async expire(idleSeconds) {
      let expired = 0;
      for (const { name } of await records.list()) {
        const record = (await records.get(name))?.value;
        if (active.has(name)) continue;
        if (record === undefined) {
          // Its document is damaged, or just gone: nobody can go on with it.
          kept.forget(name);
          continue;
        }
        const idle = serviceClock.seconds() - record.touchedAt - serviceClock.slackSeconds;
        if (idle <= (record.complete ? COMPLETED_SECONDS : idleSeconds)) continue;
        await cancel(name);
        if (!record.complete) expired++;
      }
      return expired;
    },
    ids: async () => new Set((await records.list()).map(({ name }) => name)),
    load: () => kept.load(),
    countOthers: () => kept.countOthers(),
  };
}
