import { tooManyRequests } from "@kindling/api-server";
import type { Clock } from "@kindling/outside";

/** How long a request waits for memory. Spark's client gives up after ten seconds, and tries again. */
const PATIENCE_MS = 8_000;
/** The highest number of waiting requests of one driver. Spark's driver sends one request after the other. */
const MOST_WAITING = 64;
/** One driver may have a quarter of what the others leave, so that later drivers find some memory, too. */
const PART = 1 / 4;

interface Turn {
  readonly bytes: number;
  readonly go: () => void;
}

/**
 * Memory for request bodies that are being read, and the queue of requests that wait for it. Drivers take turns, however many
 * requests each of them has.
 */
export class BodyLine {
  readonly #total: number;
  readonly #clock: Clock;
  readonly #held = new Map<string, number>();
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Turn[]>();
  #sum = 0;

  /** @param total in bytes */
  constructor(total: number, clock: Clock) {
    this.#total = total;
    this.#clock = clock;
  }

  /**
   * Waits until a driver may have so many bytes. Returns a function that gives them back.
   *
   * @throws ApiError 429 if that takes too long
   */
  async take(driver: string, bytes: number): Promise<() => void> {
    if ((this.#waiting.get(driver)?.length ?? 0) === 0 && this.#fits(driver, bytes)) return this.#hold(driver, bytes);
    return await new Promise((resolve, reject) => {
      const turns = this.#waiting.get(driver) ?? [];
      const refuse = (): void =>
        reject(tooManyRequests("the gateway reads as much as it can; try again in a moment", 1));
      if (turns.length >= MOST_WAITING) return refuse();
      const turn: Turn = {
        bytes,
        go: () => {
          cancel();
          resolve(this.#hold(driver, bytes));
        },
      };
      const cancel = this.#clock.after(PATIENCE_MS, () => {
        this.#leave(driver, turn);
        refuse();
      });
      turns.push(turn);
      this.#waiting.set(driver, turns);
    });
  }

  #fits(driver: string, bytes: number): boolean {
    return (this.#held.get(driver) ?? 0) + bytes <= (this.#total - this.#sum) * PART;
  }

  #hold(driver: string, bytes: number): () => void {
    this.#change(driver, bytes);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.#change(driver, -bytes);
      this.#next();
    };
  }

  #change(driver: string, bytes: number): void {
    this.#sum += bytes;
    const held = (this.#held.get(driver) ?? 0) + bytes;
    if (held === 0) this.#held.delete(driver);
    else this.#held.set(driver, held);
  }

  #next(): void {
    for (const [driver, turns] of [...this.#waiting]) {
      const [first] = turns;
      if (first === undefined || !this.#fits(driver, first.bytes)) continue;
      this.#leave(driver, first);
      // This driver moves behind all others.
      const left = this.#waiting.get(driver);
      this.#waiting.delete(driver);
      if (left !== undefined) this.#waiting.set(driver, left);
      first.go();
    }
  }

  #leave(driver: string, turn: Turn): void {
    const left = (this.#waiting.get(driver) ?? []).filter((other) => other !== turn);
    if (left.length === 0) this.#waiting.delete(driver);
    else this.#waiting.set(driver, left);
  }
}
