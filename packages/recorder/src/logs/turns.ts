/** Lets only so many act at the same time. The others wait in the order in which they came. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** Whether somebody would get a turn at once. */
  get areFree(): boolean {
    return this.#free > 0;
  }

  /** Waits for a turn; false if the signal comes before it. */
  async take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#free > 0) {
      this.#free--;
      return true;
    }
    return await new Promise((resolve) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        resolve(false);
      };
      const begin = (): void => {
        signal.removeEventListener("abort", giveUp);
        resolve(true);
      };
      this.#waiting.push(begin);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  /**
   * Does something when it is its turn.
   *
   * @param otherwise the result if the signal comes before that
   */
  async run<T>(signal: AbortSignal, otherwise: T, work: () => Promise<T>): Promise<T> {
    if (!(await this.take(signal))) return otherwise;
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
