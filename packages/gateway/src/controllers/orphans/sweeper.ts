import { againAfter, type Controller } from "@kindling/controller";
import type { Clock } from "@kindling/outside";

/** A finding, and for how long it has been so as far as the object itself tells. */
export interface Found<T> {
  readonly found: T;
  readonly agoMs: number;
}

export interface SweeperOptions<T> {
  readonly name: string;
  readonly clock: Clock;
  /** How long an object may stay in this state. */
  readonly graceMs: number;
  /** Finds all objects that must be deleted if they stay in this state. */
  readonly find: () => readonly Found<T>[];
  readonly uidOf: (found: T) => string;
  /** Must not fail: an object that is still there is found again. */
  readonly reap: (found: T) => Promise<void>;
}

/** Deletes objects that were found again and again for longer than the grace time. */
export interface Sweeper {
  readonly controller: Controller;
  /** The only key. */
  readonly key: string;
  /** The time between two sweeps. */
  readonly intervalMs: number;
}

export function sweeper<T>({ name, clock, graceMs, find, uidOf, reap }: SweeperOptions<T>): Sweeper {
  const intervalMs = Math.max(1_000, graceMs / 4);
  /** Since when an object is in this state, by uid, by the monotonic clock. */
  const since = new Map<string, number>();

  async function sweep(): Promise<void> {
    const now = clock.monotonic();
    const all = find();
    const uids = new Set(all.map(({ found }) => uidOf(found)));
    for (const uid of since.keys()) if (!uids.has(uid)) since.delete(uid);
    for (const { found, agoMs } of all) {
      const uid = uidOf(found);
      const begin = since.get(uid) ?? now - agoMs;
      since.set(uid, begin);
      if (now - begin >= graceMs) await reap(found);
    }
  }

  return {
    key: "all",
    intervalMs,
    controller: {
      name,
      watches: [],
      workers: 1,
      async reconcile() {
        await sweep();
        return againAfter(intervalMs);
      },
    },
  };
}
