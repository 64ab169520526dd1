import { OwnCounts } from "@kindling/service";

/** A recorder sends a limited number of logs at once, to all users of this page together. */
const MOST_OF_A_USER = 4;

/** Counts the logs that users read at this moment. */
export class OpenLogs {
  readonly #open = new OwnCounts();

  /** @returns what to call when the log is read; undefined if the user reads as many as one may */
  enter(user: string): (() => void) | undefined {
    return this.#open.of(user) >= MOST_OF_A_USER ? undefined : this.#open.add(user);
  }
}
