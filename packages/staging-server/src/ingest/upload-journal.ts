import { ProblemError } from "../errors/problem-error.ts";
import { StoreError } from "../errors/store-error.ts";
import type { ServiceClock } from "../metadata/service-clock.ts";
import type { UploadRecord, Uploads } from "../metadata/uploads.ts";

/** The stored records of uploads, so that a restarted server or another one can go on with them. */
export interface UploadJournal {
  readonly records: Uploads;
  /** Gives a writer the sole right to an upload. The previous writer is refused from then on. */
  take(id: string, writer: string): Promise<UploadRecord | undefined>;
  /** Records how far an upload is, unless another server has taken it over. */
  save(id: string, writer: string, change: Partial<UploadRecord>): Promise<void>;
  /** Whether this writer still has the right to write to the upload, or to drop it. */
  isMine(id: string, writer: string): Promise<boolean>;
}

export interface UploadJournalOptions {
  readonly records: Uploads;
  readonly serviceClock: ServiceClock;
  /** Whether other servers use the same records. */
  readonly shared: boolean;
}

/**
 * If servers share their records, a writer counts only once it is recorded. A server that is alone knows its writers: if
 * it cannot write, for example on a full disk, clients can still ask, go on or give up.
 */
export function uploadJournal({ records, serviceClock, shared }: UploadJournalOptions): UploadJournal {
  // An upload need not survive a loss of power: its client begins again.
  const relaxed = { relaxed: true };
  const touchedAt = (): number => serviceClock.seconds();

  async function saveShared(id: string, writer: string, change: Partial<UploadRecord>): Promise<void> {
    const saved = await records.update(
      id,
      (record) => (record.writer === writer ? { ...record, ...change, touchedAt: touchedAt() } : undefined),
      relaxed,
    );
    if (saved !== undefined && saved.value.writer !== writer) {
      throw new ProblemError("conflict", "another server has taken this upload over");
    }
  }

  async function orAsItIs<T>(write: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (shared || !(error instanceof StoreError)) throw error;
      return await otherwise();
    }
  }

  return {
    records,
    take: (id, writer) =>
      orAsItIs(
        async () => {
          const change = (record: UploadRecord): UploadRecord | undefined =>
            record.complete ? undefined : { ...record, writer, touchedAt: touchedAt() };
          return (await records.update(id, change, relaxed))?.value;
        },
        async () => (await records.get(id))?.value,
      ),
    save: (id, writer, change) =>
      orAsItIs(
        async () => {
          if (shared) await saveShared(id, writer, change);
          else await records.update(id, (record) => ({ ...record, ...change, touchedAt: touchedAt() }), relaxed);
        },
        () => Promise.resolve(),
      ),
    async isMine(id, writer) {
      if (!shared) return true;
      const now = await records.update(
        id,
        (record) => (record.writer === writer ? { ...record, writer: "" } : undefined),
        relaxed,
      );
      return now === undefined || now.value.writer === "";
    },
  };
}
