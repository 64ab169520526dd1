import type { Clock } from "@kindling/outside";

interface Use {
  amount: number;
  at: number;
}

/** What was used so long ago counts half, what was used twice as long ago a quarter, and so on. */
const HALF_LIFE_MS = 5_000;
/** Less than this is as good as nothing. */
const NOTHING = 0.1;
/** How long it is believed what much is. */
const MUCH_MS = 100;
/** Whoever uses so many times what others use who use little, uses much. */
const TIMES_LITTLE = 4;

/** How much each client has used of late: what it has used just now counts most. */
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

  /** Whether a client uses several times as much as that half of all that uses least. Among equals nobody does. */
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
    // Whoever is alone takes nothing from anybody.
    this.#much = left.length < 2 ? Infinity : (TIMES_LITTLE * sum) / least.length;
    this.#muchUntil = this.#clock.monotonic() + MUCH_MS;
  }
}
