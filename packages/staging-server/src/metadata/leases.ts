import { randomUUID } from "node:crypto";
import { parseDigest, type Digest } from "@kindling/staging-client";
import { documentCollection, type Collection } from "./document.ts";
import type { DocumentStore } from "./document-store.ts";
import type { ServiceClock } from "./service-clock.ts";
import { isListOf, isNumber, isOneOf, isRecord, isText, type Shape } from "./shape.ts";

/** A submitter's session: what it pins cannot be deleted, what it holds can be committed. */
export interface LeaseRecord {
  readonly id: string;
  readonly namespace: string;
  readonly subject: string;
  readonly ttlSeconds: number;
  /** Service seconds of its last use. */
  readonly renewedAt: number;
}

/**
 * `pinned`: asked about or being uploaded; must not be deleted. `held`: also known to be here, and to be this lease's
 * to use: uploaded under it, or found among the namespace's own files.
 */
interface LeaseEntry {
  readonly kind: "pinned" | "held";
  readonly digests: readonly Digest[];
}

const isLeaseRecord: Shape<LeaseRecord> = isRecord<LeaseRecord>({
  id: isText,
  namespace: isText,
  subject: isText,
  ttlSeconds: isNumber,
  renewedAt: isNumber,
});

const isLeaseEntry: Shape<LeaseEntry> = isRecord<LeaseEntry>({
  kind: isOneOf("pinned", "held"),
  digests: isListOf((value): value is Digest => isText(value) && parseDigest(value) !== undefined),
});

export interface Leases {
  open(namespace: string, subject: string, ttlSeconds: number): Promise<LeaseRecord>;
  /** The lease, renewed; `undefined` if it is not there or has expired. */
  use(id: string): Promise<LeaseRecord | undefined>;
  /** Returns only when the pins are where the cleaner of any server sees them. */
  pin(id: string, digests: readonly Digest[]): Promise<void>;
  hold(id: string, digests: readonly Digest[]): Promise<void>;
  held(id: string): Promise<ReadonlySet<Digest>>;
  close(id: string): Promise<void>;
  /** Everything that unexpired leases pin, read anew. */
  allPinned(): Promise<ReadonlySet<Digest>>;
  /** Closes leases that have expired, and entries that belong to none. */
  expire(): Promise<void>;
}

export function leaseStore(documents: DocumentStore, clock: ServiceClock): Leases {
  const records = documentCollection(documents, "leases", isLeaseRecord);
  const entriesOf = (id: string): Collection<LeaseEntry> =>
    documentCollection(documents, `lease-entries/${id}`, isLeaseEntry);
  // The pins of this process. Where no other process deletes blobs, nobody else need see them.
  const pins = new Map<string, Set<Digest>>();
  const expired = (lease: LeaseRecord): boolean =>
    clock.seconds() - lease.renewedAt > lease.ttlSeconds + clock.slackSeconds;

  // Entries never change: each is read once, however often a lease of thousands of files is asked about.
  const known = new Map<string, Map<string, LeaseEntry>>();

  async function entries(id: string): Promise<Iterable<LeaseEntry>> {
    const stored = entriesOf(id);
    const seen = known.get(id) ?? new Map<string, LeaseEntry>();
    known.set(id, seen);
    for (const { name } of await stored.list()) {
      if (seen.has(name)) continue;
      const entry = (await stored.get(name))?.value;
      if (entry !== undefined) seen.set(name, entry);
    }
    return seen.values();
  }

  async function read(id: string, kinds: readonly LeaseEntry["kind"][]): Promise<Set<Digest>> {
    const digests = new Set<Digest>();
    for (const entry of await entries(id)) {
      if (kinds.includes(entry.kind)) for (const digest of entry.digests) digests.add(digest);
    }
    return digests;
  }

  // Entries are only ever added, each as a document of its own: parallel uploads of one lease do not get in each
  // other's way, and a lease of thousands of files is not written anew for each of them.
  async function add(id: string, kind: LeaseEntry["kind"], digests: readonly Digest[]): Promise<void> {
    if (digests.length === 0) return;
    const entry: LeaseEntry = { kind, digests };
    const name = randomUUID();
    await entriesOf(id).create(name, entry, { relaxed: true });
    known.get(id)?.set(name, entry);
  }

  async function close(id: string): Promise<void> {
    // The record first: without it nothing counts any more, and `expire` finds the entries.
    await records.delete(id);
    pins.delete(id);
    known.delete(id);
    const stored = entriesOf(id);
    for (const { name } of await stored.list()) await stored.delete(name);
  }

  return {
    async open(namespace, subject, ttlSeconds) {
      const id = randomUUID();
      const lease = { id, namespace, subject, ttlSeconds, renewedAt: clock.seconds() };
      await records.create(id, lease, { relaxed: true });
      return lease;
    },
    async use(id) {
      const found = (await records.get(id))?.value;
      if (found === undefined || expired(found)) return undefined;
      // Renewing at each use would write as often as the client asks.
      if (clock.seconds() - found.renewedAt < found.ttlSeconds / 4) return found;
      const renewed = await records.update(id, (lease) => ({ ...lease, renewedAt: clock.seconds() }));
      return renewed?.value;
    },
    async pin(id, digests) {
      const pinned = pins.get(id) ?? new Set();
      pins.set(id, pinned);
      const fresh = digests.filter((digest) => !pinned.has(digest));
      if (documents.shared) await add(id, "pinned", fresh);
      for (const digest of fresh) pinned.add(digest);
    },
    hold: (id, digests) => add(id, "held", digests),
    held: (id) => read(id, ["held"]),
    close,
    async allPinned() {
      const pinned = new Set<Digest>();
      for (const { name } of await records.list()) {
        const lease = (await records.get(name))?.value;
        if (lease === undefined || expired(lease)) continue;
        for (const digest of await read(name, ["pinned", "held"])) pinned.add(digest);
        for (const digest of pins.get(name) ?? []) pinned.add(digest);
      }
      return pinned;
    },
    async expire() {
      // In this order: the record of a lease is there before its entries are.
      const withEntries = await documents.collections("lease-entries");
      const live = new Set<string>();
      for (const { name } of await records.list()) {
        const lease = (await records.get(name))?.value;
        if (lease !== undefined && !expired(lease)) live.add(name);
        else await close(name);
      }
      for (const id of withEntries) if (!live.has(id)) await close(id);
      for (const id of [...known.keys(), ...pins.keys()]) {
        // One that was opened a moment ago is not among the live ones yet.
        if (live.has(id) || (await records.get(id)) !== undefined) continue;
        known.delete(id);
        pins.delete(id);
      }
    },
  };
}
