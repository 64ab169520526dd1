/** Decides when the processing of requests begins. */
export interface RequestTurns {
  /**
   * Waits until a client may begin another request.
   *
   * @param costMs about how long this process is busy with it
   * @param onGone gets a callback to call when no client waits for the answer any more
   */
  wait(client: string, costMs: number, onGone: (callback: () => void) => void): Promise<void> | undefined;
  /** A request has cost this much more than was assumed when it began. */
  spent(client: string, costMs: number): void;
}

interface Waiting {
  readonly costMs: number;
  readonly go: () => void;
}

// The share of a busy process's time for the requests of all clients; the rest is for transfers of files.
const SHARE = 1 / 4;
// What each round takes off at least. The rounds of an idle process are short, so it goes on nearly at once.
const LEAST_MS = 0.05;

/**
 * Divides the time of this process, which has one thread, between clients. Each request adds its cost to the client's
 * debt, and the client's next request begins when the debt is paid. A busy process pays the debts of all clients equally
 * as time passes; an idle process pays them nearly at once. So a client that sends hundreds of requests, or documents of
 * megabytes, waits, and all others go on.
 */
export function requestTurns(now: () => number): RequestTurns {
  const debts = new Map<string, number>();
  const waiting = new Map<string, Set<Waiting>>();
  let lastRound = 0;
  let scheduled = false;

  function begin(client: string, costMs: number): void {
    debts.set(client, (debts.get(client) ?? 0) + costMs);
    schedule();
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    lastRound = now();
    setImmediate(round);
  }

  function round(): void {
    scheduled = false;
    const paid = Math.max(LEAST_MS, ((now() - lastRound) * SHARE) / Math.max(1, debts.size));
    for (const [client, debt] of debts) {
      if (debt > paid) debts.set(client, debt - paid);
      else debts.delete(client);
    }
    for (const [client, queue] of waiting) {
      for (const next of queue) {
        if (debts.has(client)) break;
        queue.delete(next);
        begin(client, next.costMs);
        next.go();
      }
      if (queue.size === 0) waiting.delete(client);
    }
    if (debts.size > 0) schedule();
  }

  return {
    spent: begin,
    wait(client, costMs, onGone) {
      const queue = waiting.get(client);
      if (queue === undefined && !debts.has(client)) {
        begin(client, costMs);
        return undefined;
      }
      return new Promise((resolve) => {
        const mine = { costMs, go: resolve };
        waiting.set(client, (queue ?? new Set<Waiting>()).add(mine));
        onGone(() => waiting.get(client)?.delete(mine));
      });
    },
  };
}
