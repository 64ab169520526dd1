import type { Digest } from "@kindling/staging-client";
import { documentCollection } from "../metadata/document.ts";
import type { ServiceClock } from "../metadata/service-clock.ts";
import { isListOf, isNumber, isRecord, isText, type Shape } from "../metadata/shape.ts";
import type { DocumentStore } from "../stores/document-store.ts";

/** The blobs that all servers are reading at present, so that no server deletes a blob that another one sends. */
export interface ReplicaReaders {
  all(): Promise<ReadonlySet<Digest>>;
  /** Tells the others what this server reads. It must be called well within the grace period of unused blobs. */
  announce(): Promise<void>;
  /** Says that this server reads nothing any more. */
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

// Announcements come every half minute; a server that missed so many of them is gone, with all of its reads.
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
