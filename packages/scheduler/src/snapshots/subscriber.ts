import type { Clock } from "@kindling/outside";
import type { ExecutorPodsSnapshot, SnapshotChange, SnapshotDelivery } from "./executor-pods-snapshot.ts";

export interface SubscriberOptions {
  /** From the end of one call to the next, in milliseconds. */
  readonly intervalMs: number;
  /** Called again and again, but never while an earlier call is going on. */
  readonly onSnapshots: (delivery: SnapshotDelivery) => void | Promise<void>;
  /** Told what a call has thrown. The subscriber is called again all the same. */
  readonly onError: (error: unknown) => void;
}

/** One who is told of snapshots: collects the changes, and hands them over at an interval of its own. */
export class Subscriber {
  readonly #clock: Clock;
  readonly #options: SubscriberOptions;
  readonly #last: () => ExecutorPodsSnapshot;
  #changes: SnapshotChange[] = [];
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #cancelTimer: () => void = () => {};

  constructor(clock: Clock, options: SubscriberOptions, last: () => ExecutorPodsSnapshot) {
    this.#clock = clock;
    this.#options = options;
    this.#last = last;
  }

  add(change: SnapshotChange): void {
    this.#changes.push(change);
  }

  /** Has it called soon, and not only at its next turn. */
  notify(): void {
    if (this.#stopped) return;
    // Any number of notifications during a call lead to one more call.
    if (this.#running !== undefined) this.#again = true;
    else this.#running = this.#run();
  }

  /** Resolves when it will not be called any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimer();
    await this.#running;
  }

  async #run(): Promise<void> {
    this.#cancelTimer();
    // Whoever notifies may be in the middle of a change.
    await Promise.resolve();
    do {
      this.#again = false;
      await this.#call();
    } while (this.#again && !this.#stopped);
    this.#running = undefined;
    if (!this.#stopped) this.#cancelTimer = this.#clock.after(this.#options.intervalMs, () => this.notify());
  }

  async #call(): Promise<void> {
    const changes = this.#changes;
    this.#changes = [];
    try {
      await this.#options.onSnapshots({ changes, last: this.#last() });
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
