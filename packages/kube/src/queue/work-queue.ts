import { systemClock, type Clock } from "@kindling/outside";
import { overallLimit, perKeyBackoff, slowestOf, type RateLimiter } from "./rate-limit.ts";

export interface WorkQueueOptions<K> {
  readonly clock?: Clock | undefined;
  /** For `addRateLimited`; default: client-go's. */
  readonly rateLimiter?: RateLimiter<K> | undefined;
}

/**
 * Keys to be worked on, each by one worker at a time (client-go's workqueue). A key that is added while it waits is there
 * once; one that is added while it is worked on comes again when that is done. Keys are compared as Map keys.
 */
export interface WorkQueue<K> {
  add(key: K): void;
  addAfter(key: K, milliseconds: number): void;
  /** Adds a key that failed, after a wait that grows with its failures. */
  addRateLimited(key: K): void;
  /** Ends the count of a key's failures. */
  forget(key: K): void;
  failures(key: K): number;
  /** The next key; undefined once the queue is shut down and empty. */
  get(): Promise<K | undefined>;
  /** Must follow each `get`, whether the work succeeded or not. */
  done(key: K): void;
  /** How many keys wait to be worked on now. */
  readonly size: number;
  /** Takes no more keys, drops the delayed ones, and lets the workers empty the rest. */
  shutDown(): void;
}

export function createWorkQueue<K>(options: WorkQueueOptions<K> = {}): WorkQueue<K> {
  const clock = options.clock ?? systemClock;
  const limiter = options.rateLimiter ?? slowestOf(perKeyBackoff<K>(), overallLimit<K>(clock));
  const waiting = new Set<K>();
  const working = new Set<K>();
  const again = new Set<K>();
  const delayed = new Map<K, { readonly at: number; readonly cancel: () => void }>();
  const idleWorkers: ((key: K | undefined) => void)[] = [];
  let isShutDown = false;

  function take(): K | undefined {
    for (const key of waiting) {
      waiting.delete(key);
      working.add(key);
      return key;
    }
    return undefined;
  }

  function add(key: K): void {
    if (isShutDown) return;
    if (working.has(key)) {
      again.add(key);
      return;
    }
    waiting.add(key);
    const worker = idleWorkers.shift();
    if (worker !== undefined) worker(take());
  }

  function addAfter(key: K, milliseconds: number): void {
    if (isShutDown) return;
    if (milliseconds <= 0) {
      add(key);
      return;
    }
    const at = clock.now() + milliseconds;
    const pending = delayed.get(key);
    // The earlier of two times wins.
    if (pending !== undefined && pending.at <= at) return;
    pending?.cancel();
    const cancel = clock.after(milliseconds, () => {
      delayed.delete(key);
      add(key);
    });
    delayed.set(key, { at, cancel });
  }

  return {
    add,
    addAfter,
    addRateLimited: (key) => addAfter(key, limiter.delayMs(key)),
    forget: (key) => limiter.forget(key),
    failures: (key) => limiter.failures(key),
    get() {
      if (waiting.size > 0 || isShutDown) return Promise.resolve(take());
      return new Promise((resolve) => idleWorkers.push(resolve));
    },
    done(key) {
      working.delete(key);
      if (again.delete(key)) add(key);
    },
    get size() {
      return waiting.size;
    },
    shutDown() {
      isShutDown = true;
      for (const { cancel } of delayed.values()) cancel();
      delayed.clear();
      again.clear();
      for (const worker of idleWorkers.splice(0)) worker(undefined);
    },
  };
}
