/** The time and its timers, as an argument, so that tests can turn the hands. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back after so many milliseconds; the result cancels that. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The machine's clock. Its timers keep no process alive: what listens or runs does that. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    // Longer delays would fire at once (Node keeps them in 32 bits).
    const timer = setTimeout(callback, Math.min(milliseconds, 0x7fff_ffff));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

interface Alarm {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that stands still until it is told to go on. */
export class ManualClock implements Clock {
  #now: number;
  #order = 0;
  readonly #alarms = new Set<Alarm>();

  constructor(start: number = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    this.#order += 1;
    const alarm = { at: this.#now + Math.max(0, milliseconds), order: this.#order, callback };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  /** Moves on by so many milliseconds, ringing what is due on the way in order, and letting pending promises run. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const due = [...this.#alarms].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (due === undefined) break;
      this.#alarms.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.callback();
    }
    this.#now = end;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
