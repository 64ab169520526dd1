/** When requests begin to be worked on. */
export interface RequestTurns {
  /**
   * Waits until a client may begin another request.
   *
   * @param costMs about how long this process is busy with it
   * @param onGone told of what to call when nobody waits for the answer any more
   */
  wait(client: string, costMs: number, onGone: (callback: () => void) => void): Promise<void> | undefined;
  /** A request has cost so much more than was thought when it began. */
  spent(client: string, costMs: number): void;
}

interface Waiting {
  readonly costMs: number;
  readonly go: () => void;
}

// Of the time of a busy process, so much is for requests of all clients; the rest is for files on their way.
const SHARE = 1 / 4;
// An idle process has nothing better to do than to go on: its rounds are short, and each takes off so much.
const LEAST_MS = 0.05;

/**
 * Divides the time of this process, of which there is one thread, between clients. Each request costs its client some of
 * it, and the next one begins when that is paid off: by an equal share of the time that passes where much is going on,
 * and nearly at once where nothing is. So somebody who sends requests by the hundred, or documents of megabytes, waits,
 * and everybody else gets on.
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
