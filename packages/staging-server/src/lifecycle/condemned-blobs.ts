import { digestHex, type Digest } from "@kindling/staging-client";
import { StoreError } from "../errors/store-error.ts";
import { documentCollection } from "../metadata/document.ts";
import { isMapOf, isNumber, isRecord } from "../metadata/shape.ts";
import type { DocumentStore } from "../stores/document-store.ts";

/** The blobs without references, during their grace period. */
export interface CondemnedBlobs {
  /** Begins a collection; one at a time. */
  begin(): Condemnations;
}

/** The blobs without references, as recorded by the previous collection, and as this one finds them. */
export interface Condemnations {
  /** Since when a blob has been condemned, in service seconds; `undefined` if it was not. */
  since(digest: Digest): Promise<number | undefined>;
  mark(digest: Digest, since: number): Promise<void>;
  /** Records exactly the blobs that were marked. */
  finish(): Promise<void>;
}

/** Since when a blob has had no reference, in service seconds, by digest. */
type CondemnedSince = Readonly<Record<string, number>>;

interface CondemnedRecord {
  readonly since: CondemnedSince;
}

const PREFIX = "condemned";

/**
 * Kept in one document for each of the 256 first bytes of digests: a client can leave any number of blobs behind, and a
 * single document for all of them would be read and written as a whole in each collection. Stores list blobs in the order
 * of their digests, or at least those with the same first byte together.
 */
export function condemnedBlobs(documents: DocumentStore): CondemnedBlobs {
  const records = documentCollection(documents, "state", isRecord<CondemnedRecord>({ since: isMapOf(isNumber) }));
  // If no other server deletes, marks that cannot be written are kept in memory: otherwise a full disk would never be
  // freed. They win over the written ones.
  const unwritten = new Map<string, CondemnedSince>();

  async function read(name: string): Promise<CondemnedSince> {
    return unwritten.get(name) ?? (await records.get(name))?.value.since ?? {};
  }

  async function orRemember(name: string, since: CondemnedSince, write: () => Promise<void>): Promise<void> {
    try {
      await write();
      unwritten.delete(name);
    } catch (error) {
      if (documents.shared || !(error instanceof StoreError)) throw error;
      unwritten.set(name, since);
    }
  }

  async function put(name: string, record: CondemnedRecord): Promise<void> {
    if ((await records.update(name, () => record)) === undefined) await records.create(name, record);
  }

  function begin(): Condemnations {
    const finished = new Set<string>();
    let current: { name: string; before: CondemnedSince; marked: Record<string, number> } | undefined;

    async function write(): Promise<void> {
      if (current === undefined) return;
      const { name, before, marked } = current;
      current = undefined;
      if (Object.keys(marked).length === 0) return;
      finished.add(name);
      if (isSame(before, marked) && !unwritten.has(name)) return;
      await orRemember(name, marked, () => put(name, { since: marked }));
    }

    async function turnTo(digest: Digest): Promise<NonNullable<typeof current>> {
      const name = `${PREFIX}-${digestHex(digest).slice(0, 2)}`;
      if (current?.name === name) return current;
      await write();
      const before = await read(name);
      // If a first byte comes twice, the marks of the first time stay.
      const marked = finished.has(name) ? { ...before } : {};
      current = { name, before, marked };
      return current;
    }

    return {
      since: async (digest) => (await turnTo(digest)).before[digest],
      async mark(digest, since) {
        (await turnTo(digest)).marked[digest] = since;
      },
      async finish() {
        await write();
        const names = new Set([...(await records.list(PREFIX)).map(({ name }) => name), ...unwritten.keys()]);
        for (const name of names) if (!finished.has(name)) await orRemember(name, {}, () => records.delete(name));
      },
    };
  }

  return { begin };
}

function isSame(one: CondemnedSince, other: CondemnedSince): boolean {
  const entries = Object.entries(one);
  return entries.length === Object.keys(other).length && entries.every(([digest, since]) => other[digest] === since);
}
