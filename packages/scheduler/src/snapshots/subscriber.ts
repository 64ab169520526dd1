import type { Clock } from "@kindling/outside";
import type { ExecutorPodsSnapshot, SnapshotChange, SnapshotDelivery } from "./executor-pods-snapshot.ts";

export interface SubscriberOptions {
  /** The time from the end of one call to the next, in milliseconds. */
  readonly intervalMs: number;
  /** Called again and again, but never while an earlier call is running. */
  readonly onSnapshots: (delivery: SnapshotDelivery) => void | Promise<void>;
  /** Told of an error that a call has thrown. The subscriber is still called again. */
  readonly onError: (error: unknown) => void;
}

/** One subscriber of snapshots: collects the changes, and delivers them at its own interval. */
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

  /** Lets it be called soon, and not only at its next interval. */
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
    // The caller of `notify` may be in the middle of a change.
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
