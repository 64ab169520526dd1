import { randomUUID } from "node:crypto";
import type { Digest } from "@kindling/staging-client";
import { ProblemError } from "../errors/problem-error.ts";
import { ledger, namespaceMark, type Ledger } from "../ledger/ledger.ts";
import { LEASE, LEASE_DIGEST_MEMORY, leaseEntry } from "../ledger/weights.ts";
import type { DocumentStore } from "../stores/document-store.ts";
import { documentCollection } from "./document.ts";
import { leaseEntries, type LeaseEntry } from "./lease-entries.ts";
import { isLeaseRecord, type LeaseRecord } from "./lease-record.ts";
import { LeaseState } from "./lease-state.ts";
import type { ServiceClock } from "./service-clock.ts";

export interface Leases {
  /** Reads the leases of an earlier process, where this one has the documents for itself. */
  load(): Promise<void>;
  /** @throws ProblemError `limit-reached`, `quota-exceeded` */
  open(namespace: string, subject: string, ttlSeconds: number): Promise<LeaseRecord>;
  /** The lease, renewed; `undefined` if it is not there or has expired. */
  use(id: string): Promise<LeaseRecord | undefined>;
  /**
   * Returns only when the pins are where the cleaner of any server sees them.
   *
   * @throws ProblemError `limit-reached`, `quota-exceeded`
   */
  pin(id: string, digests: readonly Digest[]): Promise<void>;
  hold(id: string, digests: readonly Digest[]): Promise<void>;
  held(id: string): Promise<ReadonlySet<Digest>>;
  close(id: string): Promise<void>;
  /** Everything that unexpired leases pin, read anew. */
  allPinned(): Promise<ReadonlySet<Digest>>;
  /** What the leases of this process hold, by namespace. */
  heldBy(): ReadonlyMap<string, ReadonlySet<Digest>>;
  /** Closes leases that have expired, and entries that belong to none. */
  expire(): Promise<void>;
  /** Counts the leases of other servers, and no longer those that they have closed. */
  countOthers(): Promise<void>;
}

export interface LeaseKeeping {
  readonly book: Ledger;
  /** Most digests of one lease. */
  readonly mostDigests: number;
}

const UNLIMITED: LeaseKeeping = { book: ledger(), mostDigests: Infinity };

export function leaseStore(
  documents: DocumentStore,
  clock: ServiceClock,
  { book, mostDigests }: LeaseKeeping = UNLIMITED,
): Leases {
  const records = documentCollection(documents, "leases", isLeaseRecord);
  const entries = leaseEntries(documents);
  // Where no other process has the documents, these are all leases.
  const states = new Map<string, LeaseState>();
  let missing: ReadonlySet<string> = new Set();
  const expired = (lease: LeaseRecord): boolean =>
    clock.seconds() - lease.renewedAt > lease.ttlSeconds + clock.slackSeconds;

  /** A lease that this process did not open. */
  async function adopt(record: LeaseRecord, counts: boolean): Promise<LeaseState> {
    const known = states.get(record.id);
    if (known !== undefined) {
      known.record = record;
      return known;
    }
    const state = new LeaseState(record, book.note(record.namespace, { leases: counts ? 1 : 0 }), counts);
    states.set(record.id, state);
    await entries.read(record.id, state);
    return state;
  }

  async function stateOf(id: string): Promise<LeaseState | undefined> {
    const known = states.get(id);
    if (known !== undefined || !documents.shared) return known;
    const record = (await records.get(id))?.value;
    return record && (await adopt(record, false));
  }

  async function add(state: LeaseState, kind: LeaseEntry["kind"], digests: readonly Digest[]): Promise<void> {
    if (digests.length === 0) return;
    try {
      state.charge.raise(leaseEntry(digests.length));
      await entries.add(state.record.id, { kind, digests }, state);
    } finally {
      state.recount();
    }
  }

  function release(id: string): void {
    states.get(id)?.charge.release();
    states.delete(id);
  }

  async function close(id: string): Promise<void> {
    // The record first: without it nothing counts any more, and `expire` finds the entries.
    await records.delete(id);
    release(id);
    await entries.deleteAll(id);
  }

  /** Those of some digests that a lease does not have yet; it may have them. */
  function fresh(state: LeaseState, known: ReadonlySet<Digest>, digests: readonly Digest[]): readonly Digest[] {
    const more = [...new Set(digests)].filter((digest) => !known.has(digest));
    if (known.size + more.length > mostDigests) {
      const detail = `a lease may name ${mostDigests} files, twice as many as a bundle may have; open another one`;
      throw new ProblemError("limit-reached", detail);
    }
    state.charge.raise({ memory: more.length * LEASE_DIGEST_MEMORY });
    return more;
  }

  return {
    async load() {
      if (documents.shared) return;
      for (const { name } of await records.list()) {
        const record = (await records.get(name))?.value;
        if (record !== undefined) await adopt(record, true);
      }
    },
    async open(namespace, subject, ttlSeconds) {
      const id = `${namespaceMark(namespace)}-${randomUUID()}`;
      const lease = { id, namespace, subject, ttlSeconds, renewedAt: clock.seconds() };
      const charge = book.take(namespace, LEASE);
      try {
        await records.create(id, lease, { relaxed: true });
      } catch (error) {
        charge.release();
        throw error;
      }
      states.set(id, new LeaseState(lease, charge, true));
      return lease;
    },
    async use(id) {
      const found = (await records.get(id))?.value;
      if (found === undefined || expired(found)) return undefined;
      // Renewing at each use would write as often as the client asks.
      if (clock.seconds() - found.renewedAt < found.ttlSeconds / 4) return found;
      const renewed = (await records.update(id, (lease) => ({ ...lease, renewedAt: clock.seconds() })))?.value;
      const state = states.get(id);
      if (state !== undefined && renewed !== undefined) state.record = renewed;
      return renewed;
    },
    async pin(id, digests) {
      const state = await stateOf(id);
      if (state === undefined) return;
      const more = fresh(state, state.pinned, digests);
      if (documents.shared) await add(state, "pinned", more);
      else for (const digest of more) state.pinned.add(digest);
    },
    async hold(id, digests) {
      const state = await stateOf(id);
      if (state !== undefined) await add(state, "held", fresh(state, state.held, digests));
    },
    async held(id) {
      const state = await stateOf(id);
      if (state === undefined) return new Set();
      if (documents.shared) await entries.read(id, state);
      return state.held;
    },
    close,
    async allPinned() {
      if (documents.shared) {
        for (const { name } of await records.list()) {
          const record = (await records.get(name))?.value;
          if (record !== undefined && !expired(record)) await entries.read(name, await adopt(record, false));
        }
      }
      const pinned = new Set<Digest>();
      for (const state of states.values()) {
        if (expired(state.record)) continue;
        for (const digest of state.held) pinned.add(digest);
        for (const digest of state.pinned) pinned.add(digest);
      }
      return pinned;
    },
    heldBy() {
      const held = new Map<string, Set<Digest>>();
      for (const state of states.values()) {
        const mine = held.get(state.record.namespace) ?? new Set<Digest>();
        held.set(state.record.namespace, mine);
        for (const digest of state.held) mine.add(digest);
        for (const digest of state.pinned) mine.add(digest);
      }
      return held;
    },
    async expire() {
      // In this order: the record of a lease is there before its entries are.
      const withEntries = await entries.ids();
      const live = new Set<string>();
      for (const { name } of await records.list()) {
        const lease = (await records.get(name))?.value;
        if (lease !== undefined && !expired(lease)) live.add(name);
        else await close(name);
      }
      for (const id of withEntries) if (!live.has(id)) await close(id);
      for (const id of states.keys()) {
        // One that was opened a moment ago is not among the live ones yet.
        if (live.has(id) || (await records.get(id)) !== undefined) continue;
        release(id);
      }
    },
    async countOthers() {
      if (!documents.shared) return;
      const counts = new Map<string, number>();
      const names = await records.list();
      for (const { name } of names) {
        const mark = name.slice(0, name.indexOf("-"));
        if (states.get(name)?.isOwn !== true) counts.set(mark, (counts.get(mark) ?? 0) + 1);
      }
      book.setOthers("leases", counts);
      // What this server is opening at this moment is not listed yet.
      const there = new Set(names.map(({ name }) => name));
      const gone = [...states.keys()].filter((id) => !there.has(id));
      for (const id of gone) if (missing.has(id)) release(id);
      missing = new Set(gone);
    },
  };
}
