/** Work that arrives while other work is being done. */
export interface WorkQueue<T> {
  add(item: T): void;
  /** Says that no more work will come; resolves when all of it is done. Rejects with the first failure. */
  close(): Promise<void>;
  /** Rejects with the first failure; resolves when all work is done. */
  readonly failed: Promise<void>;
  /** Resolves when no work is under way any more, whether it failed or not. */
  settled(): Promise<void>;
}

export interface WorkQueueOptions<T> {
  readonly concurrency: number;
  /** Most items of one call; default 1. */
  readonly batch?: number;
  /** Waits for more items before some are taken; only if the concurrency is 1. */
  readonly gather?: () => Promise<void>;
  readonly handle: (items: readonly T[]) => Promise<void>;
}

/**
 * A queue whose items are handled by at most `concurrency` calls at once, each taking up to `batch` of the items that
 * are waiting. After a failure no further item is begun.
 */
export function workQueue<T>({ concurrency, batch = 1, gather, handle }: WorkQueueOptions<T>): WorkQueue<T> {
  const waiting: T[] = [];
  const running = new Set<Promise<void>>();
  const state = { closed: false, broken: false };
  let resolveDone: () => void = () => undefined;
  let rejectDone: (error: unknown) => void = () => undefined;
  const done = new Promise<void>((resolve, reject) => {
    resolveDone = resolve;
    rejectDone = reject;
  });
  // A caller that awaits the promise sees the failure; without such a caller there must be no unhandled rejection.
  done.catch(() => undefined);

  function beginWhatFits(): void {
    while (!state.broken && waiting.length > 0 && running.size < concurrency) begin();
    if (state.closed && waiting.length === 0 && running.size === 0) resolveDone();
  }

  function begin(): void {
    const task = run(gather === undefined ? waiting.splice(0, batch) : undefined).finally(() => {
      running.delete(task);
      beginWhatFits();
    });
    running.add(task);
  }

  async function run(items: readonly T[] | undefined): Promise<void> {
    try {
      await gather?.();
      await handle(items ?? waiting.splice(0, batch));
    } catch (error) {
      state.broken = true;
      rejectDone(error);
    }
  }

  return {
    add(item) {
      waiting.push(item);
      beginWhatFits();
    },
    close() {
      state.closed = true;
      beginWhatFits();
      return done;
    },
    failed: done,
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
