/** A recorder sends a limited number of logs at once, to all users of this page together. */
const MOST_OF_A_USER = 4;

/** Counts the logs that users read at this moment. */
export class OpenLogs {
  readonly #byUser = new Map<string, number>();

  /** @returns what to call when the log is read; undefined if the user reads as many as one may */
  enter(user: string): (() => void) | undefined {
    const open = this.#byUser.get(user) ?? 0;
    if (open >= MOST_OF_A_USER) return undefined;
    this.#byUser.set(user, open + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.#byUser.get(user) ?? 1) - 1;
      if (left === 0) this.#byUser.delete(user);
      else this.#byUser.set(user, left);
    };
  }
}
