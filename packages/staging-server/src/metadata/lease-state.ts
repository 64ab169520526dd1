import type { Digest } from "@kindling/staging-client";
import type { Charge } from "../ledger/ledger.ts";
import { LEASE, LEASE_DIGEST_MEMORY, leaseEntry } from "../ledger/weights.ts";
import type { KnownEntries, LeaseEntry } from "./lease-entries.ts";
import type { LeaseRecord } from "./lease-record.ts";

/** What this process knows of a lease, and its entry in the ledger. */
export class LeaseState implements KnownEntries {
  record: LeaseRecord;
  readonly charge: Charge;
  /** Whether this process opened it, or is the only one that has the documents; otherwise other servers count it. */
  readonly isOwn: boolean;
  /** Pins of this process. If no other process deletes blobs, no other process needs to see them. */
  readonly pinned: Set<Digest> = new Set();
  readonly held: Set<Digest> = new Set();
  readonly #entries = new Map<string, LeaseEntry>();

  constructor(record: LeaseRecord, charge: Charge, isOwn: boolean) {
    this.record = record;
    this.charge = charge;
    this.isOwn = isOwn;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  all(): Iterable<readonly [string, LeaseEntry]> {
    return this.#entries;
  }

  enter(name: string, entry: LeaseEntry): void {
    this.#entries.set(name, entry);
    const digests = entry.kind === "held" ? this.held : this.pinned;
    for (const digest of entry.digests) digests.add(digest);
    this.recount();
  }

  drop(name: string): void {
    this.#entries.delete(name);
    this.recount();
  }

  /** Updates the lease's entry in the ledger to what the lease has now. */
  recount(): void {
    let memory = (LEASE.memory ?? 0) + (this.pinned.size + this.held.size) * LEASE_DIGEST_MEMORY;
    let disk = LEASE.disk ?? 0;
    for (const { digests } of this.#entries.values()) {
      const taken = leaseEntry(digests.length);
      memory += taken.memory;
      disk += taken.disk;
    }
    this.charge.set({ memory, disk });
  }
}
