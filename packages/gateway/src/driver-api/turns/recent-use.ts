import type { Clock } from "@kindling/outside";

interface Use {
  amount: number;
  at: number;
}

/** Use counts half after this time, a quarter after twice this time, and so on. */
const HALF_LIFE_MS = 5_000;
/** Less than this counts as nothing. */
const NOTHING = 0.1;
/** How long the computed limit is used. */
const MUCH_MS = 100;
/** A client uses much if it uses more than so many times the average of the clients that use little. */
const TIMES_LITTLE = 4;

/** How much each client has used recently: the latest use counts most. */
export class RecentUse {
  readonly #clock: Clock;
  readonly #uses = new Map<string, Use>();
  #much = Infinity;
  #muchUntil = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(client: string): number {
    const use = this.#uses.get(client);
    return use === undefined ? 0 : this.#left(use);
  }

  add(client: string, amount: number): void {
    this.#uses.set(client, { amount: this.of(client) + amount, at: this.#clock.monotonic() });
  }

  /**
   * Whether a client uses several times as much as the average of that half of all clients that uses least. Among equal
   * clients there is none.
   */
  isMuch(client: string): boolean {
    if (this.#clock.monotonic() >= this.#muchUntil) this.#look();
    return this.of(client) > this.#much;
  }

  #left({ amount, at }: Use): number {
    return amount * 2 ** ((at - this.#clock.monotonic()) / HALF_LIFE_MS);
  }

  #look(): void {
    const left: number[] = [];
    for (const [client, use] of this.#uses) {
      const amount = this.#left(use);
      if (amount < NOTHING) this.#uses.delete(client);
      else left.push(amount);
    }
    const least = left.sort((a, b) => a - b).slice(0, Math.ceil(left.length / 2));
    const sum = least.reduce((all, amount) => all + amount, 0);
    // A single client takes nothing from others.
    this.#much = left.length < 2 ? Infinity : (TIMES_LITTLE * sum) / least.length;
    this.#muchUntil = this.#clock.monotonic() + MUCH_MS;
  }
}
