import type { ApplicationRecord } from "./application-record.ts";

/** Something that happened to an application. */
export interface Change {
  /** Counts from 1, without gaps. */
  readonly number: number;
  readonly kind: "changed" | "gone";
  readonly application: ApplicationRecord;
}

/** The latest changes, as many as fit, for readers that each go on from where they are. */
export class ChangeLog {
  readonly #most: number;
  /** A ring: change `n` stands at `n % most`. */
  readonly #changes: Change[] = [];
  #last = 0;
  readonly #listeners = new Set<() => void>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The number of the newest change; 0 before any. */
  get last(): number {
    return this.#last;
  }

  add(kind: Change["kind"], application: ApplicationRecord): void {
    this.#last += 1;
    this.#changes[this.#last % this.#most] = { number: this.#last, kind, application };
    for (const listener of this.#listeners) listener();
  }

  /** The change of a number; undefined for one that is not kept any more, or has not been yet. */
  at(number: number): Change | undefined {
    const change = this.#changes[number % this.#most];
    return change?.number === number ? change : undefined;
  }

  /** Whether every change behind this number is still kept. */
  keepsAllAfter(number: number): boolean {
    return number <= this.#last && number >= this.#last - this.#most;
  }

  /** Calls back at each change, until the result is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
