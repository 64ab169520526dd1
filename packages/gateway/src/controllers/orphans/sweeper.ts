import { againAfter, type Controller } from "@kindling/controller";
import type { Clock } from "@kindling/outside";

/** What is found, and for how long it has been so as far as it tells itself. */
export interface Found<T> {
  readonly found: T;
  readonly agoMs: number;
}

export interface SweeperOptions<T> {
  readonly name: string;
  readonly clock: Clock;
  /** How long something may be as it is found. */
  readonly graceMs: number;
  /** All that is to go, if it stays so. */
  readonly find: () => readonly Found<T>[];
  readonly uidOf: (found: T) => string;
  /** Must not fail: what is still there is found again. */
  readonly reap: (found: T) => Promise<void>;
}

/** Takes away what has been found again and again for longer than a grace. */
export interface Sweeper {
  readonly controller: Controller;
  /** The only key. */
  readonly key: string;
  /** From one look to the next. */
  readonly intervalMs: number;
}

export function sweeper<T>({ name, clock, graceMs, find, uidOf, reap }: SweeperOptions<T>): Sweeper {
  const intervalMs = Math.max(1_000, graceMs / 4);
  /** Since when it is known, by uid, on the clock that only goes forward. */
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
