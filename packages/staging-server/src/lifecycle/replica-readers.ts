import type { Digest } from "@kindling/staging-client";
import { documentCollection } from "../metadata/document.ts";
import type { ServiceClock } from "../metadata/service-clock.ts";
import { isListOf, isNumber, isRecord, isText, type Shape } from "../metadata/shape.ts";
import type { DocumentStore } from "../stores/document-store.ts";

/** What all servers together are reading at present, so that none deletes what another one sends. */
export interface ReplicaReaders {
  all(): Promise<ReadonlySet<Digest>>;
  /** Tells the others what this server reads; to be called well within the grace of unused blobs. */
  announce(): Promise<void>;
  /** This server reads nothing any more. */
  withdraw(): Promise<void>;
}

interface ReaderRecord {
  readonly digests: readonly Digest[];
  readonly at: number;
}

const isReaderRecord: Shape<ReaderRecord> = isRecord<ReaderRecord>({
  digests: isListOf((value): value is Digest => isText(value)),
  at: isNumber,
});

// Announcements come every half minute; a server that missed so many is gone, and its readers with it.
const STALE_SECONDS = 300;

export function replicaReaders(
  documents: DocumentStore,
  replica: string,
  reading: () => ReadonlySet<Digest>,
  clock: ServiceClock,
): ReplicaReaders {
  if (!documents.shared) {
    return {
      all: () => Promise.resolve(reading()),
      announce: () => Promise.resolve(),
      withdraw: () => Promise.resolve(),
    };
  }
  const records = documentCollection(documents, "readers", isReaderRecord);
  return {
    async all() {
      const digests = new Set(reading());
      for (const { name } of await records.list()) {
        const record = (await records.get(name))?.value;
        if (record === undefined || name === replica) continue;
        if (clock.seconds() - record.at > STALE_SECONDS + clock.slackSeconds) await records.delete(name);
        else for (const digest of record.digests) digests.add(digest);
      }
      return digests;
    },
    async announce() {
      const record = { digests: [...reading()], at: clock.seconds() };
      if ((await records.update(replica, () => record)) === undefined) await records.create(replica, record);
    },
    withdraw: () => records.delete(replica),
  };
}
