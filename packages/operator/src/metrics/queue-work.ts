import type { Clock } from "@kindling/outside";

/** The keys of a queue that wait for a worker, and the keys that a worker processes. */
export class QueueWork {
  readonly controller: string;
  readonly workers: number;
  readonly #clock: Clock;
  /** Since when each key has been there, in the clock's monotonic milliseconds. */
  readonly #waiting = new Map<string, number>();
  readonly #working = new Map<string, number>();

  constructor(clock: Clock, { controller, workers }: Pick<QueueWork, "controller" | "workers">) {
    this.#clock = clock;
    this.controller = controller;
    this.workers = workers;
  }

  /** @returns false if the key was waiting already */
  add(key: string): boolean {
    if (this.#waiting.has(key)) return false;
    this.#waiting.set(key, this.#clock.monotonic());
    return true;
  }

  /** @returns how long the key waited, in seconds */
  start(key: string): number {
    const seconds = this.#since(this.#waiting.get(key));
    this.#waiting.delete(key);
    this.#working.set(key, this.#clock.monotonic());
    return seconds;
  }

  /** @returns how long the key was worked on, in seconds */
  end(key: string): number {
    const seconds = this.#since(this.#working.get(key));
    this.#working.delete(key);
    return seconds;
  }

  clear(): void {
    this.#waiting.clear();
    this.#working.clear();
  }

  get depth(): number {
    return this.#waiting.size;
  }

  get active(): number {
    return this.#working.size;
  }

  /** How long each key has been worked on so far, in seconds. */
  get unfinished(): readonly number[] {
    return [...this.#working.values()].map((start) => this.#since(start));
  }

  #since(start = this.#clock.monotonic()): number {
    return (this.#clock.monotonic() - start) / 1000;
  }
}
