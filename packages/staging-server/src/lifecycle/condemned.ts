import { digestHex, type Digest } from "@kindling/staging-client";
import { documentCollection } from "../metadata/document.ts";
import type { DocumentStore } from "../metadata/document-store.ts";

/** Since when nothing has referred to these blobs, in service seconds. */
interface CondemnedRecord {
  readonly since: Readonly<Record<string, number>>;
}

/** The blobs that nothing refers to, as the collection before this one left them, and as this one finds them. */
export interface Condemned {
  /** Since when a blob has been condemned; `undefined` if it was not. */
  since(digest: Digest): Promise<number | undefined>;
  mark(digest: Digest, since: number): Promise<void>;
  /** Writes down what was marked, and nothing else. */
  finish(): Promise<void>;
}

const PREFIX = "condemned";

/**
 * Kept in one document for each of the 256 first bytes of digests: anybody can leave any number of blobs behind, and all
 * of them in one document would be read and written as a whole in each collection. Stores list blobs in the order of
 * their digests, or at least those with the same first byte together.
 */
export function condemnedBlobs(documents: DocumentStore): Condemned {
  const records = documentCollection<CondemnedRecord>(documents, "state");
  const finished = new Set<string>();
  let current: { name: string; before: CondemnedRecord["since"]; marked: Record<string, number> } | undefined;

  async function write(): Promise<void> {
    if (current === undefined) return;
    const { name, before, marked } = current;
    current = undefined;
    if (Object.keys(marked).length === 0) return;
    finished.add(name);
    const isSame =
      Object.keys(before).length === Object.keys(marked).length &&
      Object.entries(marked).every(([digest, since]) => before[digest] === since);
    if (isSame) return;
    const record = { since: marked };
    if ((await records.update(name, () => record)) === undefined) await records.create(name, record);
  }

  async function turnTo(digest: Digest): Promise<NonNullable<typeof current>> {
    const name = `${PREFIX}-${digestHex(digest).slice(0, 2)}`;
    if (current?.name === name) return current;
    await write();
    const before = (await records.get(name))?.value.since ?? {};
    // A byte that comes twice: what was marked the first time stays.
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
      for (const { name } of await records.list(PREFIX)) if (!finished.has(name)) await records.delete(name);
    },
  };
}
