import { randomUUID } from "node:crypto";
import { parseDigest, type Digest } from "@kindling/staging-client";
import type { DocumentStore } from "../stores/document-store.ts";
import { documentCollection, type Collection } from "./document.ts";
import { isListOf, isOneOf, isRecord, isText, type Shape } from "./shape.ts";

/**
 * `pinned`: asked about or being uploaded; must not be deleted. `held`: also known to be here, and this lease may use it,
 * because it was uploaded under it or found among the namespace's own files.
 */
export interface LeaseEntry {
  readonly kind: "pinned" | "held";
  readonly digests: readonly Digest[];
}

const isLeaseEntry: Shape<LeaseEntry> = isRecord<LeaseEntry>({
  kind: isOneOf("pinned", "held"),
  digests: isListOf((value): value is Digest => isText(value) && parseDigest(value) !== undefined),
});

/** The entries of a lease that this process has read: each is read once, however often the lease is asked about. */
export interface KnownEntries {
  has(name: string): boolean;
  all(): Iterable<readonly [string, LeaseEntry]>;
  enter(name: string, entry: LeaseEntry): void;
  drop(name: string): void;
}

/** What leases pin and hold, in documents. Entries are only added, so that parallel uploads do not disturb each other. */
export interface LeaseEntries {
  /** Reads all entries that are not known yet. */
  read(id: string, known: KnownEntries): Promise<void>;
  /** Adds an entry; merges small entries when there are many. */
  add(id: string, entry: LeaseEntry, known: KnownEntries): Promise<void>;
  deleteAll(id: string): Promise<void>;
  /** The leases that have entries. */
  ids(): Promise<readonly string[]>;
}

// Each entry is a document of its own, which takes at least one block of the disk.
const SMALL = 64;
const MOST_SMALL = 32;
// Entries disappear when they are merged, perhaps by another server; a new listing shows the merged one. Entries that are
// still listed but do not exist are damaged.
const READ_ATTEMPTS = 5;

export function leaseEntries(documents: DocumentStore): LeaseEntries {
  const entriesOf = (id: string): Collection<LeaseEntry> =>
    documentCollection(documents, `lease-entries/${id}`, isLeaseEntry);

  async function putTogether(id: string, known: KnownEntries): Promise<void> {
    for (const kind of ["pinned", "held"] as const) {
      const small = [...known.all()].filter(([, entry]) => entry.kind === kind && entry.digests.length < SMALL);
      if (small.length < MOST_SMALL) continue;
      const entry: LeaseEntry = { kind, digests: [...new Set(small.flatMap(([, { digests }]) => digests))] };
      const name = randomUUID();
      // The new entry is written first: at every moment, all digests are in some entry.
      await entriesOf(id).create(name, entry, { relaxed: true });
      known.enter(name, entry);
      for (const [old] of small) {
        known.drop(old);
        await entriesOf(id).delete(old);
      }
    }
  }

  return {
    async read(id, known) {
      const stored = entriesOf(id);
      const absent = new Set<string>();
      for (let attempt = 1; ; attempt++) {
        let vanished = false;
        for (const { name } of await stored.list()) {
          if (known.has(name) || absent.has(name)) continue;
          const entry = (await stored.get(name))?.value;
          if (entry !== undefined) known.enter(name, entry);
          else {
            absent.add(name);
            vanished = true;
          }
        }
        if (!vanished || attempt === READ_ATTEMPTS) return;
      }
    },
    async add(id, entry, known) {
      const name = randomUUID();
      await entriesOf(id).create(name, entry, { relaxed: true });
      known.enter(name, entry);
      await putTogether(id, known);
    },
    async deleteAll(id) {
      const stored = entriesOf(id);
      for (const { name } of await stored.list()) await stored.delete(name);
    },
    ids: () => documents.collections("lease-entries"),
  };
}
