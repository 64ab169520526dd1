import { ledger, type Ledger } from "../ledger/ledger.ts";
import type { DocumentStore } from "../stores/document-store.ts";
import { documentCollection, type Collection } from "./document.ts";
import { leaseEntries, type LeaseEntries } from "./lease-entries.ts";
import { isLeaseRecord, type LeaseRecord } from "./lease-record.ts";
import { LeaseState } from "./lease-state.ts";
import type { ServiceClock } from "./service-clock.ts";

export interface LeaseKeeping {
  readonly book: Ledger;
  /** Most digests of one lease. */
  readonly mostDigests: number;
}

export const UNLIMITED: LeaseKeeping = { book: ledger(), mostDigests: Infinity };

/** The leases in documents, and what this process knows of them. */
export interface LeaseContext extends LeaseKeeping {
  /** Whether other servers may write, too. */
  readonly shared: boolean;
  readonly records: Collection<LeaseRecord>;
  readonly entries: LeaseEntries;
  /** If no other process has the documents, these are all leases. */
  readonly states: Map<string, LeaseState>;
  readonly clock: ServiceClock;
}

export function leaseContext(documents: DocumentStore, clock: ServiceClock, keeping: LeaseKeeping): LeaseContext {
  return {
    ...keeping,
    shared: documents.shared,
    records: documentCollection(documents, "leases", isLeaseRecord),
    entries: leaseEntries(documents),
    states: new Map(),
    clock,
  };
}

export function isExpired({ clock }: LeaseContext, lease: LeaseRecord): boolean {
  return clock.seconds() - lease.renewedAt > lease.ttlSeconds + clock.slackSeconds;
}

/** A lease that this process did not open. */
export async function adoptLease(context: LeaseContext, record: LeaseRecord, counts: boolean): Promise<LeaseState> {
  const { states, book, entries } = context;
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

/** Removes its entry from the ledger. */
export function releaseLease({ states }: LeaseContext, id: string): void {
  states.get(id)?.charge.release();
  states.delete(id);
}

export async function closeLease(context: LeaseContext, id: string): Promise<void> {
  // The record is deleted first: without it nothing counts any more, and `expire` finds the entries.
  await context.records.delete(id);
  releaseLease(context, id);
  await context.entries.deleteAll(id);
}
