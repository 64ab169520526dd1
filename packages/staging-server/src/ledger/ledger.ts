import { createHash } from "node:crypto";
import type { ProblemError } from "../errors/problem-error.ts";

/** What the server keeps for a namespace: numbers of things, and bytes of memory and of the store. */
export interface Holdings {
  readonly leases: number;
  /** Resumable uploads that are not complete. */
  readonly uploads: number;
  readonly bundles: number;
  readonly memory: number;
  readonly disk: number;
  /** Bytes of the store that deleted bundles have left behind, until they are collected. */
  readonly leftovers: number;
}

export type Kept = keyof Holdings;
export type Amounts = Partial<Holdings>;

/** One entry of the ledger, for as long as the thing is kept. */
export interface Charge {
  /** @throws ProblemError if the namespace may not have this much more; then nothing has changed */
  raise(more: Amounts): void;
  /** Sets the real amounts, whether they fit or not. */
  set(amounts: Amounts): void;
  release(): void;
}

/** Decides whether a namespace may have more. */
export interface LedgerLimits {
  /** @returns the refusal, or undefined if the namespace may have more */
  refusal(request: LedgerRequest): ProblemError | undefined;
}

export interface LedgerRequest {
  readonly namespace: string;
  readonly kept: Kept;
  readonly more: number;
  /** What the namespace has already, and what all namespaces have. */
  readonly held: number;
  readonly heldByAll: number;
  readonly leftovers: number;
}

/**
 * The list of everything that the server keeps for clients, by namespace. Code that keeps something enters it here first,
 * and removes the entry when the thing is gone. Namespaces that have nothing are not in it, because clients may name any
 * number of namespaces.
 *
 * With several servers, each ledger has what went through its own server, and the numbers of leases and uploads of the
 * others as of the last listing.
 */
export interface Ledger {
  /** @throws ProblemError `limit-reached`, `quota-exceeded` */
  take(namespace: string, amounts: Amounts): Charge;
  /** Enters a thing that is kept already, whether it fits or not. */
  note(namespace: string, amounts: Amounts): Charge;
  /** @throws ProblemError as {@link take}, and enters nothing */
  check(namespace: string, amounts: Amounts): void;
  of(namespace: string): Holdings;
  readonly total: Holdings;
  /** How many things of one kind other servers have, by {@link namespaceMark}. */
  setOthers(kept: "leases" | "uploads", counts: ReadonlyMap<string, number>): void;
}

const NOTHING: Holdings = { leases: 0, uploads: 0, bundles: 0, memory: 0, disk: 0, leftovers: 0 };
const KINDS = Object.keys(NOTHING) as Kept[];

/** The beginning of the names of documents, so that a listing shows how many each namespace has. */
export function namespaceMark(namespace: string): string {
  return createHash("sha256").update(namespace).digest("hex").slice(0, 8);
}

type Account = { -readonly [K in Kept]: number };

export function ledger(limits: LedgerLimits = { refusal: () => undefined }): Ledger {
  const accounts = new Map<string, Account>();
  const total: Account = { ...NOTHING };
  const others = { leases: new Map<string, number>(), uploads: new Map<string, number>() } as Record<
    "leases" | "uploads",
    ReadonlyMap<string, number>
  >;

  function held(namespace: string, kept: Kept): number {
    const own = accounts.get(namespace)?.[kept] ?? 0;
    return kept === "leases" || kept === "uploads" ? own + (others[kept].get(namespaceMark(namespace)) ?? 0) : own;
  }

  function check(namespace: string, amounts: Amounts): void {
    const leftovers = held(namespace, "leftovers");
    for (const kept of KINDS) {
      const more = amounts[kept] ?? 0;
      if (more <= 0) continue;
      const request = { namespace, kept, more, held: held(namespace, kept), heldByAll: total[kept], leftovers };
      const refusal = limits.refusal(request);
      if (refusal !== undefined) throw refusal;
    }
  }

  function enter(namespace: string, amounts: Amounts, sign: 1 | -1): void {
    const account = accounts.get(namespace) ?? { ...NOTHING };
    accounts.set(namespace, account);
    for (const kept of KINDS) {
      const change = sign * (amounts[kept] ?? 0);
      account[kept] += change;
      total[kept] += change;
    }
    if (KINDS.every((kept) => account[kept] <= 0)) accounts.delete(namespace);
  }

  function note(namespace: string, amounts: Amounts): Charge {
    let mine: Amounts = { ...amounts };
    let released = false;
    enter(namespace, mine, 1);
    const replace = (next: Amounts): void => {
      if (released) return;
      enter(namespace, mine, -1);
      mine = next;
      enter(namespace, mine, 1);
    };
    return {
      raise(more) {
        check(namespace, more);
        replace(sum(mine, more));
      },
      set: (amounts) => replace({ ...mine, ...amounts }),
      release() {
        if (!released) enter(namespace, mine, -1);
        released = true;
      },
    };
  }

  return {
    take(namespace, amounts) {
      check(namespace, amounts);
      return note(namespace, amounts);
    },
    note,
    check,
    of: (namespace) => ({
      ...(accounts.get(namespace) ?? NOTHING),
      leases: held(namespace, "leases"),
      uploads: held(namespace, "uploads"),
    }),
    get total() {
      return total;
    },
    setOthers(kept, counts) {
      others[kept] = counts;
    },
  };
}

function sum(one: Amounts, other: Amounts): Amounts {
  const amounts: Amounts = { ...one };
  for (const kept of KINDS) {
    const more = other[kept];
    if (more !== undefined) Object.assign(amounts, { [kept]: (amounts[kept] ?? 0) + more });
  }
  return amounts;
}
