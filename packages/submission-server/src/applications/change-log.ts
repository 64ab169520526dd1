import type { ApplicationRecord } from "./application-record.ts";

/** Something that happened to an application. */
export interface Change {
  /** Counts from 1, without gaps. */
  readonly number: number;
  readonly kind: "changed" | "gone";
  readonly application: ApplicationRecord;
}

/** The latest changes, up to a limit, for readers that each continue from their own position. */
export class ChangeLog {
  readonly #most: number;
  /** A ring buffer: change `n` is at `n % most`. */
  readonly #changes: Change[] = [];
  #last = 0;
  readonly #listeners = new Set<() => void>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The number of the newest change; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  add(kind: Change["kind"], application: ApplicationRecord): void {
    this.#last += 1;
    this.#changes[this.#last % this.#most] = { number: this.#last, kind, application };
    for (const listener of this.#listeners) listener();
  }

  /** The change with a number; undefined if it is no longer kept, or has not happened yet. */
  at(number: number): Change | undefined {
    const change = this.#changes[number % this.#most];
    return change?.number === number ? change : undefined;
  }

  /** Whether every change after this number is still kept. */
  keepsAllAfter(number: number): boolean {
    return number <= this.#last && number >= this.#last - this.#most;
  }

  /** Calls the listener at each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
