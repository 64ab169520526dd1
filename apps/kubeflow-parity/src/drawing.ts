import { Random } from "@kindling/test-kit/random";

/** What a generator of values draws its random values with. */
export interface Draw {
  /** A whole number from 0 up to, but not including, the bound. */
  readonly below: (bound: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly one: <const T extends readonly unknown[]>(...values: T) => T[number];
  /** One of a list; undefined if it is empty. */
  readonly oneOf: <T>(values: readonly T[]) => T | undefined;
  readonly maybe: <T>(probability: number, make: () => T) => T | undefined;
  /** A list with at most this many items. */
  readonly some: <T>(most: number, make: (index: number) => T) => T[];
}

/** The same seed draws the same values. */
export function drawing(seed: number): Draw {
  const random = new Random(seed);
  const below = (bound: number): number => random.below(bound);
  const chance = (probability: number): boolean => random.chance(probability);
  return {
    below,
    chance,
    one: (...values) => values[below(values.length)],
    oneOf: (values) => values[below(values.length)],
    maybe: (probability, make) => (chance(probability) ? make() : undefined),
    some: (most, make) => Array.from({ length: below(most + 1) }, (_, index) => make(index)),
  };
}

/** A value after it is written and read again: without the members that were not drawn. */
export function withoutUnset(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
