import { ProblemError } from "../errors/problem-error.ts";
import { StoreError } from "../errors/store-error.ts";
import type { ServiceClock } from "../metadata/service-clock.ts";
import type { UploadRecord, Uploads } from "../metadata/uploads.ts";

/** What is written down of uploads, so that a restarted or another server can go on with them. */
export interface UploadJournal {
  readonly records: Uploads;
  /** Gives a writer the sole right to an upload. Whoever had it before is refused from then on. */
  take(id: string, writer: string): Promise<UploadRecord | undefined>;
  /** Writes down how far an upload is, unless another server has taken it over. */
  save(id: string, writer: string, change: Partial<UploadRecord>): Promise<void>;
  /** Whether this writer still is the one that may write, or drop what is there. */
  isMine(id: string, writer: string): Promise<boolean>;
}

export interface UploadJournalOptions {
  readonly records: Uploads;
  readonly serviceClock: ServiceClock;
  /** Whether other servers use the same records. */
  readonly shared: boolean;
}

/**
 * Where servers share their records, a writer has to be written down to count. A server that is alone knows its writers;
 * there, what cannot be written now, on a full disk say, keeps nobody from asking, going on or giving up.
 */
export function uploadJournal({ records, serviceClock, shared }: UploadJournalOptions): UploadJournal {
  // An upload need not survive a loss of power: its client begins anew.
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
