import { createHash } from "node:crypto";

/** Numbers that look random, and are the same for the same text: a case can be made again. */
export class Dice {
  #state: number;

  constructor(seed: string) {
    this.#state = createHash("sha256").update(seed).digest().readUInt32LE(0);
  }

  /** From 0 up to 1 (mulberry32). */
  #fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below the limit. */
  below(limit: number): number {
    return Math.floor(this.#fraction() * limit);
  }

  chance(probability: number): boolean {
    return this.#fraction() < probability;
  }

  /** @throws Error for an empty list */
  pick<T>(list: readonly T[]): T {
    const [picked] = list.slice(this.below(list.length));
    if (picked === undefined) throw new Error("nothing to pick from");
    return picked;
  }

  /** One of the usual ones; seldom, one that is at an edge or beyond it. */
  mostly<T>(usual: readonly T[], odd: readonly T[], odds: number = ODDS): T {
    return this.chance(odds) ? this.pick(odd) : this.pick(usual);
  }

  /** So many different ones, in any order. */
  some<T>(list: readonly T[], count: number): T[] {
    return this.shuffled(list).slice(0, count);
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => [this.#fraction(), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  }
}

/** How often a value is an odd one: most cases should get through, where there is most to compare. */
const ODDS = 0.08;
