import { LEFT_OUT } from "./left-out.ts";
import type { Family } from "./scrape.ts";

/** Metrics that count applications and executors. Both operators have seen the same ones. */
const COUNTED = /^spark_/;

export interface ComparedFamilies {
  readonly compared: number;
  /** How many are left out on purpose. */
  readonly leftOut: number;
  readonly missing: readonly string[];
  /** What both have, but with different values or labels. */
  readonly different: readonly string[];
}

type Families = ReadonlyMap<string, Family>;

/** Compares the stock metrics with ours, without the metrics that are left out on purpose. */
export function compareFamilies(stock: Families, ours: Families): ComparedFamilies {
  const wanted = [...stock].filter(([name]) => !LEFT_OUT.some(({ names }) => names.test(name)));
  return {
    compared: wanted.length,
    leftOut: stock.size - wanted.length,
    missing: wanted.flatMap(([name]) => (ours.has(name) ? [] : [name])),
    different: wanted.flatMap(([name, family]) => {
      const own = ours.get(name);
      return own === undefined ? [] : differencesOf(name, family, own);
    }),
  };
}

function differencesOf(name: string, stock: Family, ours: Family): string[] {
  const found = factsOf(name, ours);
  return Object.entries(factsOf(name, stock))
    .filter(([fact, wanted]) => wanted !== found[fact])
    .map(([fact, wanted]) => `${name}: ${fact} ${found[fact]}, stock's ${wanted}`);
}

function factsOf(name: string, family: Family): Readonly<Record<string, string>> {
  return {
    type: family.type,
    series: inOrder(family.series),
    labels: inOrder(family.labels),
    bounds: inOrder([...family.bounds].map(rounded)),
    ...(COUNTED.test(name) && { counts: inOrder([...family.counts].map(([key, count]) => `${key} ${count}`)) }),
  };
}

function inOrder(values: Iterable<string | number>): string {
  return [...values]
    .map(String)
    .toSorted((one, other) => (one < other ? -1 : 1))
    .join(", ");
}

/** Go computes its bounds by multiplication, and gets 0.0000099999 where ours has 0.00001. */
function rounded(bound: string): number {
  return Number(Number(bound).toPrecision(9));
}
