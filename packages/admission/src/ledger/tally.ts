import type { Resources } from "../resources.ts";

/** Amounts that change while a plan is made. */
export type Tally = Record<string, number>;

/** Amounts as a list, for fast loops; no amount is 0. */
export type Amounts = readonly (readonly [name: string, amount: number])[];

export function amountsOf(resources: Resources): Amounts {
  return Object.entries(resources).filter(([, amount]) => amount !== 0);
}

/**
 * Adds the amounts `times` times; subtracts them if `times` is negative. A name that the tally does not have starts with
 * `missing`.
 */
export function count(tally: Tally, amounts: Amounts, times: number, missing = 0): void {
  for (const [name, amount] of amounts) tally[name] = (tally[name] ?? missing) + amount * times;
}

/** How often the amounts can be taken. A name that the tally does not have counts as `missing`. */
export function timesIn(tally: Resources, amounts: Amounts, missing = 0): number {
  let times = Number.POSITIVE_INFINITY;
  for (const [name, amount] of amounts) {
    const most = Math.floor((tally[name] ?? missing) / amount);
    if (most < times) times = most;
    if (times <= 0) return 0;
  }
  return times;
}
