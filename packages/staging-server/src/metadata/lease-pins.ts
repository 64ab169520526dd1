import type { Digest } from "@kindling/staging-client";
import { ProblemError } from "../errors/problem-error.ts";
import { LEASE_DIGEST_MEMORY, leaseEntry } from "../ledger/weights.ts";
import { adoptLease, isExpired, type LeaseContext } from "./lease-context.ts";
import type { LeaseEntry } from "./lease-entries.ts";
import type { LeaseState } from "./lease-state.ts";

/** The blobs that leases protect from deletion. */
export interface LeasePins {
  /**
   * Returns only when the cleaner of any server can see the pins.
   *
   * @throws ProblemError `limit-reached`, `quota-exceeded`
   */
  pin(id: string, digests: readonly Digest[]): Promise<void>;
  hold(id: string, digests: readonly Digest[]): Promise<void>;
  held(id: string): Promise<ReadonlySet<Digest>>;
  /** Everything that unexpired leases pin, read again. */
  allPinned(): Promise<ReadonlySet<Digest>>;
  /** What the leases of this process hold, by namespace. */
  heldBy(): ReadonlyMap<string, ReadonlySet<Digest>>;
}

export function leasePins(context: LeaseContext): LeasePins {
  const { shared, entries, states } = context;
  return {
    async pin(id, digests) {
      const state = await stateOf(context, id);
      if (state === undefined) return;
      const more = fresh(context, state, state.pinned, digests);
      if (shared) await add(context, state, "pinned", more);
      else for (const digest of more) state.pinned.add(digest);
    },
    async hold(id, digests) {
      const state = await stateOf(context, id);
      if (state !== undefined) await add(context, state, "held", fresh(context, state, state.held, digests));
    },
    async held(id) {
      const state = await stateOf(context, id);
      if (state === undefined) return new Set();
      if (shared) await entries.read(id, state);
      return state.held;
    },
    async allPinned() {
      if (shared) await readAll(context);
      const pinned = new Set<Digest>();
      for (const state of states.values()) if (!isExpired(context, state.record)) addAll(pinned, state);
      return pinned;
    },
    heldBy() {
      const held = new Map<string, Set<Digest>>();
      for (const state of states.values()) {
        const mine = held.get(state.record.namespace) ?? new Set<Digest>();
        held.set(state.record.namespace, mine);
        addAll(mine, state);
      }
      return held;
    },
  };
}

async function stateOf(context: LeaseContext, id: string): Promise<LeaseState | undefined> {
  const known = context.states.get(id);
  if (known !== undefined || !context.shared) return known;
  const record = (await context.records.get(id))?.value;
  return record && (await adoptLease(context, record, false));
}

/** Those of some digests that a lease does not have yet and may have. */
function fresh(
  { mostDigests }: LeaseContext,
  state: LeaseState,
  known: ReadonlySet<Digest>,
  digests: readonly Digest[],
): readonly Digest[] {
  const more = [...new Set(digests)].filter((digest) => !known.has(digest));
  if (known.size + more.length > mostDigests) {
    const detail = `a lease may name ${mostDigests} files, twice as many as a bundle may have; open another one`;
    throw new ProblemError("limit-reached", detail);
  }
  state.charge.raise({ memory: more.length * LEASE_DIGEST_MEMORY });
  return more;
}

async function add(
  { entries }: LeaseContext,
  state: LeaseState,
  kind: LeaseEntry["kind"],
  digests: readonly Digest[],
): Promise<void> {
  if (digests.length === 0) return;
  try {
    state.charge.raise(leaseEntry(digests.length));
    await entries.add(state.record.id, { kind, digests }, state);
  } finally {
    state.recount();
  }
}

/** Reads what other servers have entered by now. */
async function readAll(context: LeaseContext): Promise<void> {
  const { records, entries } = context;
  for (const { name } of await records.list()) {
    const record = (await records.get(name))?.value;
    if (record === undefined || isExpired(context, record)) continue;
    await entries.read(name, await adoptLease(context, record, false));
  }
}

function addAll(digests: Set<Digest>, { held, pinned }: LeaseState): void {
  for (const digest of held) digests.add(digest);
  for (const digest of pinned) digests.add(digest);
}
