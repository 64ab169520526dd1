import { createHash } from "node:crypto";
import { Random } from "@kindling/test-kit/random";

/** Random numbers that are the same for the same text: a case can be generated again. */
export class Dice extends Random {
  constructor(seed: string) {
    super(createHash("sha256").update(seed).digest().readUInt32LE(0));
  }

  /** Usually one of the usual values; rarely, one at a limit or beyond it. */
  mostly<T>(usual: readonly T[], odd: readonly T[], odds: number = ODDS): T {
    return this.chance(odds) ? this.pick(odd) : this.pick(usual);
  }

  /** This many different ones, in any order. */
  some<T>(list: readonly T[], count: number): T[] {
    return this.shuffled(list).slice(0, count);
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => [this.fraction(), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  }
}

/** How often a value is an odd one: most cases should succeed, because then there is most to compare. */
const ODDS = 0.08;
