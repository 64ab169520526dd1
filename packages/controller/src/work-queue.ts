import type { Clock } from "@kindling/outside";

/**
 * Keys to be reconciled, each by one worker at a time (client-go's workqueue). A key that is added while it waits stays there
 * once. A key that is added while a worker has it comes again after that.
 *
 * Namespaces take turns: a thousand keys of one namespace delay a single key of another no longer than one key does. Within a
 * namespace, the first key goes first. The namespace of a key is the part before its first slash.
 */
export interface WorkQueue {
  add(key: string): void;
  /** The earlier of two times wins. */
  addAfter(key: string, milliseconds: number): void;
  /** The next key; undefined once the queue is shut down and empty. */
  get(): Promise<string | undefined>;
  /** Must follow each `get`, whether the work succeeded or not. */
  done(key: string): void;
  /** Whether a key waits for a worker now, or has one. */
  has(key: string): boolean;
  /** How many keys wait for a worker now. */
  readonly size: number;
  /** How many keys have a worker. */
  readonly busy: number;
  /** Takes no more keys, drops the delayed ones, and lets the workers empty the rest. */
  shutDown(): void;
}

export function createWorkQueue(clock: Clock): WorkQueue {
  const waiting = createTurns();
  const working = new Set<string>();
  const again = new Set<string>();
  const delayed = new Map<string, { readonly at: number; readonly cancel: () => void }>();
  const idleWorkers: ((key: string | undefined) => void)[] = [];
  let isShutDown = false;

  function take(): string | undefined {
    const key = waiting.take();
    if (key !== undefined) working.add(key);
    return key;
  }

  function add(key: string): void {
    if (isShutDown) return;
    if (working.has(key)) {
      again.add(key);
      return;
    }
    waiting.add(key);
    idleWorkers.shift()?.(take());
  }

  function addAfter(key: string, milliseconds: number): void {
    if (isShutDown) return;
    if (milliseconds <= 0) {
      add(key);
      return;
    }
    const at = clock.now() + milliseconds;
    const pending = delayed.get(key);
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
    get() {
      if (waiting.size > 0 || isShutDown) return Promise.resolve(take());
      return new Promise((resolve) => idleWorkers.push(resolve));
    },
    done(key) {
      working.delete(key);
      if (again.delete(key)) add(key);
    },
    has: (key) => working.has(key) || waiting.has(key),
    get size() {
      return waiting.size;
    },
    get busy() {
      return working.size;
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

interface Turns {
  /** A key that waits already keeps its place. */
  add(key: string): void;
  has(key: string): boolean;
  take(): string | undefined;
  readonly size: number;
}

/** Keys by namespace: each namespace gives one key in its turn. */
function createTurns(): Turns {
  /** The namespace whose turn is next comes first. */
  const byNamespace = new Map<string, Set<string>>();
  let size = 0;
  return {
    add(key) {
      const namespace = namespaceOf(key);
      const keys = byNamespace.get(namespace) ?? new Set();
      byNamespace.set(namespace, keys);
      size -= keys.size;
      keys.add(key);
      size += keys.size;
    },
    has: (key) => byNamespace.get(namespaceOf(key))?.has(key) === true,
    take() {
      for (const [namespace, keys] of byNamespace) {
        byNamespace.delete(namespace);
        for (const key of keys) {
          keys.delete(key);
          size -= 1;
          // Its next turn comes after the turns of all others.
          if (keys.size > 0) byNamespace.set(namespace, keys);
          return key;
        }
      }
      return undefined;
    },
    get size() {
      return size;
    },
  };
}

function namespaceOf(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf("/")));
}
