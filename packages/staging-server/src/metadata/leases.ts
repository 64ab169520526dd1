import { randomUUID } from "node:crypto";
import { namespaceMark } from "../ledger/ledger.ts";
import { otherServers } from "../ledger/other-servers.ts";
import { LEASE } from "../ledger/weights.ts";
import type { DocumentStore } from "../stores/document-store.ts";
import {
  adoptLease,
  closeLease,
  isExpired,
  leaseContext,
  releaseLease,
  UNLIMITED,
  type LeaseContext,
  type LeaseKeeping,
} from "./lease-context.ts";
import { leasePins, type LeasePins } from "./lease-pins.ts";
import type { LeaseRecord } from "./lease-record.ts";
import { LeaseState } from "./lease-state.ts";
import type { ServiceClock } from "./service-clock.ts";

export interface Leases extends LeasePins {
  /** Reads the leases of an earlier process, if no other server has the documents. */
  load(): Promise<void>;
  /** @throws ProblemError `limit-reached`, `quota-exceeded` */
  open(namespace: string, subject: string, ttlSeconds: number): Promise<LeaseRecord>;
  /** The lease, renewed; `undefined` if it does not exist or has expired. */
  use(id: string): Promise<LeaseRecord | undefined>;
  close(id: string): Promise<void>;
  /** Closes leases that have expired, and entries that belong to none. */
  expire(): Promise<void>;
  /** Counts the leases of other servers, and stops counting those that they have closed. */
  countOthers(): Promise<void>;
}

export function leaseStore(documents: DocumentStore, clock: ServiceClock, keeping: LeaseKeeping = UNLIMITED): Leases {
  const context = leaseContext(documents, clock, keeping);
  const { shared, records, states, book } = context;
  const countOthers = otherServers(book, "leases", {
    counts: (id) => states.get(id)?.isOwn === true,
    names: () => states.keys(),
    forget: (id) => releaseLease(context, id),
  });
  return {
    ...leasePins(context),
    async load() {
      if (shared) return;
      for (const { name } of await records.list()) {
        const record = (await records.get(name))?.value;
        if (record !== undefined) await adoptLease(context, record, true);
      }
    },
    open: (namespace, subject, ttlSeconds) => open(context, { namespace, subject, ttlSeconds }),
    use: (id) => use(context, id),
    close: (id) => closeLease(context, id),
    expire: () => expire(context),
    async countOthers() {
      if (shared) countOthers((await records.list()).map(({ name }) => name));
    },
  };
}

async function open(
  { records, states, clock, book }: LeaseContext,
  given: Pick<LeaseRecord, "namespace" | "subject" | "ttlSeconds">,
): Promise<LeaseRecord> {
  const { namespace } = given;
  const id = `${namespaceMark(namespace)}-${randomUUID()}`;
  const lease = { id, ...given, renewedAt: clock.seconds() };
  const charge = book.take(namespace, LEASE);
  try {
    await records.create(id, lease, { relaxed: true });
  } catch (error) {
    charge.release();
    throw error;
  }
  states.set(id, new LeaseState(lease, charge, true));
  return lease;
}

async function use(context: LeaseContext, id: string): Promise<LeaseRecord | undefined> {
  const { records, states, clock } = context;
  const found = (await records.get(id))?.value;
  if (found === undefined || isExpired(context, found)) return undefined;
  // A renewal at each use would write at every request of the client.
  if (clock.seconds() - found.renewedAt < found.ttlSeconds / 4) return found;
  const renewed = (await records.update(id, (lease) => ({ ...lease, renewedAt: clock.seconds() })))?.value;
  const state = states.get(id);
  if (state !== undefined && renewed !== undefined) state.record = renewed;
  return renewed;
}

async function expire(context: LeaseContext): Promise<void> {
  const { records, entries, states } = context;
  // In this order, because the record of a lease exists before its entries.
  const withEntries = await entries.ids();
  const live = new Set<string>();
  for (const { name } of await records.list()) {
    const lease = (await records.get(name))?.value;
    if (lease !== undefined && !isExpired(context, lease)) live.add(name);
    else await closeLease(context, name);
  }
  for (const id of withEntries) if (!live.has(id)) await closeLease(context, id);
  for (const id of states.keys()) {
    // A lease that was opened a moment ago is not among the live ones yet.
    if (live.has(id) || (await records.get(id)) !== undefined) continue;
    releaseLease(context, id);
  }
}
