import type { Clock } from "./clock.ts";

interface Alarm {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  readonly #start: number;
  #now: number;
  #order = 0;
  readonly #alarms = new Set<Alarm>();

  /** @param start milliseconds since the epoch */
  constructor(start: number = Date.UTC(2026, 0, 1)) {
    this.#start = start;
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - this.#start;
  }

  after(milliseconds: number, callback: () => void): () => void {
    this.#order += 1;
    const alarm = { at: this.#now + Math.max(0, milliseconds), order: this.#order, callback };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  /** How many timers run. */
  get pending(): number {
    return this.#alarms.size;
  }

  /** Moves the clock by this many milliseconds. Due timers run in order on the way, and pending promises run too. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const due = this.#nextAlarm(end);
      if (due === undefined) break;
      this.#ring(due);
    }
    this.#now = end;
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Like {@link advance}, but within one turn of the event loop: no promise runs in between. */
  advanceAtOnce(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (let due = this.#nextAlarm(end); due !== undefined; due = this.#nextAlarm(end)) this.#ring(due);
    this.#now = end;
  }

  #nextAlarm(end: number): Alarm | undefined {
    return [...this.#alarms].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at || a.order - b.order)[0];
  }

  #ring(alarm: Alarm): void {
    this.#alarms.delete(alarm);
    this.#now = Math.max(this.#now, alarm.at);
    alarm.callback();
  }
}
