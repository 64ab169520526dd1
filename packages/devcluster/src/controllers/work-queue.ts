import type { Clock } from "@kindling/outside";

/** Keys are handled in portions, so that requests are answered in between. */
const PORTION = 200;
const FIRST_RETRY = 50;
const LAST_RETRY = 10_000;

/**
 * The keys that a controller must handle. A key that is added many times before its turn is handled once. A key that fails is
 * tried again, each time after a longer pause.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #work: (key: string) => void;
  readonly #keys = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Set<() => void>();
  #scheduled = false;
  #stopped = false;

  constructor(clock: Clock, work: (key: string) => void) {
    this.#clock = clock;
    this.#work = work;
  }

  add(key: string): void {
    if (this.#stopped) return;
    this.#keys.add(key);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#run());
  }

  addAfter(key: string, milliseconds: number): void {
    if (this.#stopped) return;
    const cancel = this.#clock.after(milliseconds, () => {
      this.#timers.delete(cancel);
      this.add(key);
    });
    this.#timers.add(cancel);
  }

  stop(): void {
    this.#stopped = true;
    this.#keys.clear();
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  #run(): void {
    this.#scheduled = false;
    let left = PORTION;
    for (const key of this.#keys) {
      if (left === 0 || this.#stopped) break;
      left -= 1;
      this.#keys.delete(key);
      this.#attempt(key);
    }
    if (this.#keys.size === 0 || this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    setImmediate(() => this.#run());
  }

  #attempt(key: string): void {
    try {
      this.#work(key);
      this.#failures.delete(key);
    } catch {
      // A failed key is tried again; conflicts and refusals are temporary.
      const failures = this.#failures.get(key) ?? 0;
      this.#failures.set(key, failures + 1);
      this.addAfter(key, Math.min(FIRST_RETRY * 2 ** failures, LAST_RETRY));
    }
  }
}
