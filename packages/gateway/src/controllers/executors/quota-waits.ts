import { type Backoff, createBackoff } from "@kindling/kube";
import type { Clock } from "@kindling/outside";

interface Line<T> {
  readonly waiting: Set<T>;
  readonly backoff: Backoff;
  cancel: () => void;
}

/**
 * Executors that wait because the quota of their namespace is full. They do not all try again: after a while, or when
 * something has left the namespace, the first one tries. If it succeeds, all others may try.
 */
export class QuotaWaits<T> {
  readonly #lines = new Map<string, Line<T>>();
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #retry: (one: T) => void;

  /** `retry` is called for each that may try again. */
  constructor(clock: Clock, random: () => number, retry: (one: T) => void) {
    this.#clock = clock;
    this.#random = random;
    this.#retry = retry;
  }

  get size(): number {
    let size = 0;
    for (const { waiting } of this.#lines.values()) size += waiting.size;
    return size;
  }

  isFull(namespace: string): boolean {
    return this.#lines.has(namespace);
  }

  /** One more must wait: it was refused, or the namespace is known to be full. */
  wait(namespace: string, one: T): void {
    const line = this.#lines.get(namespace) ?? this.#newLine(namespace);
    line.waiting.add(one);
  }

  /** The one that tried for all was refused again. The next one tries after a longer wait. */
  stillFull(namespace: string, one: T): void {
    const line = this.#lines.get(namespace);
    this.wait(namespace, one);
    if (line !== undefined) this.#tryLater(namespace, line, line.backoff.next());
  }

  /** Something may have left the namespace. */
  roomMade(namespace: string): void {
    const line = this.#lines.get(namespace);
    // Many pods may end at once, and the quota counts their resources as free a moment later.
    if (line !== undefined) this.#tryLater(namespace, line, 250);
  }

  /** One was created. */
  passed(namespace: string): void {
    const line = this.#lines.get(namespace);
    if (line === undefined) return;
    line.cancel();
    this.#lines.delete(namespace);
    for (const one of line.waiting) this.#retry(one);
  }

  stop(): void {
    for (const { cancel } of this.#lines.values()) cancel();
    this.#lines.clear();
  }

  #newLine(namespace: string): Line<T> {
    const backoff = createBackoff({
      baseMs: 1_000,
      capMs: 15_000,
      resetAfterMs: 60_000,
      clock: this.#clock,
      random: this.#random,
    });
    const line: Line<T> = { waiting: new Set(), backoff, cancel: () => undefined };
    this.#lines.set(namespace, line);
    this.#tryLater(namespace, line, backoff.next());
    return line;
  }

  #tryLater(namespace: string, line: Line<T>, milliseconds: number): void {
    line.cancel();
    line.cancel = this.#clock.after(milliseconds, () => {
      const [first] = line.waiting;
      if (first === undefined) {
        this.#lines.delete(namespace);
        return;
      }
      line.waiting.delete(first);
      // If there is no result of this attempt, the next one tries later.
      this.#tryLater(namespace, line, line.backoff.next());
      this.#retry(first);
    });
  }
}
