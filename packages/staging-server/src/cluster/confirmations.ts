import type { Clock } from "@kindling/outside";
import type { StagedResourcesOwner } from "@kindling/staging-client";
import type { BundleOwner } from "../lifecycle/owner-watch.ts";
import type { SeenObject } from "./seen-object.ts";

/** An object that was once seen to own a bundle. */
export interface KnownOwner {
  readonly uid: string;
  readonly name: string;
}

/** What is remembered about the owners of bundles from one check to the next. */
export interface Confirmations {
  /** How many times in a row an owner was found not to run, each time long enough after the last. */
  count(subject: BundleOwner): number;
  /** Whether one more would count now. */
  mayCount(subject: BundleOwner): boolean;
  /** An owner was found not to run. */
  add(subject: BundleOwner): void;
  /** It was found to run, or there was no answer: earlier results do not count any more. */
  reset(subject: BundleOwner): void;
  /** The known objects of an owner, to ask for them by name. */
  knownOwners(subject: BundleOwner): readonly KnownOwner[];
  remember(subject: BundleOwner, owners: readonly SeenObject[]): void;
  /** Forgets all other owners. */
  retain(owners: Iterable<StagedResourcesOwner>): void;
}

interface Memory {
  count: number;
  lastAt: number;
  known: readonly KnownOwner[];
}

/** The labels may match the executors of an application too: a few of so many objects are enough. */
const MOST_KNOWN = 4;

export function confirmationMemory(clock: Clock, apartMs: number): Confirmations {
  // By the owner, then by the uid that a bundle is bound to.
  const memories = new Map<string, Map<string, Memory>>();

  function of({ owner, uid = "" }: BundleOwner): Memory | undefined {
    return memories.get(keyOf(owner))?.get(uid);
  }

  function change({ owner, uid = "" }: BundleOwner, changes: Partial<Memory>): void {
    const key = keyOf(owner);
    const ofOwner = memories.get(key) ?? new Map<string, Memory>();
    memories.set(key, ofOwner);
    ofOwner.set(uid, { count: 0, lastAt: Number.NEGATIVE_INFINITY, known: [], ...ofOwner.get(uid), ...changes });
  }

  const mayCount = (subject: BundleOwner): boolean =>
    clock.monotonic() - (of(subject)?.lastAt ?? Number.NEGATIVE_INFINITY) >= apartMs;

  return {
    count: (subject) => of(subject)?.count ?? 0,
    mayCount,
    add(subject) {
      if (mayCount(subject)) change(subject, { count: (of(subject)?.count ?? 0) + 1, lastAt: clock.monotonic() });
    },
    reset: (subject) => change(subject, { count: 0, lastAt: Number.NEGATIVE_INFINITY }),
    knownOwners: (subject) => of(subject)?.known ?? [],
    remember(subject, owners) {
      if (owners.length === 0) return;
      // The object that a bundle is bound to comes first.
      const isBound = ({ uid }: KnownOwner): number => Number(uid === subject.uid);
      const known = owners.map(({ metadata: { uid, name } }) => ({ uid, name }));
      const byRank = known.toSorted((one, other) => isBound(other) - isBound(one));
      change(subject, { known: byRank.slice(0, MOST_KNOWN) });
    },
    retain(owners) {
      const wanted = new Set([...owners].map(keyOf));
      for (const key of memories.keys()) if (!wanted.has(key)) memories.delete(key);
    },
  };
}

function keyOf({ ownerNamespace, ownerType, ownerLabels }: StagedResourcesOwner): string {
  return JSON.stringify([ownerNamespace, ownerType, ownerLabels]);
}
