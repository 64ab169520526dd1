import { LEFT_OUT } from "./left-out.mjs";

/** Whose counts are those of applications and executors: both operators have seen the same. */
const COUNTED = /^spark_/;

/**
 * @param {Map<string, import("./scrape.mjs").Family>} stock
 * @param {Map<string, import("./scrape.mjs").Family>} ours
 * @returns what of stock's is not in ours, but for what is left out on purpose; and what is there and is another
 */
export function compareFamilies(stock, ours) {
  const found = { compared: 0, leftOut: 0, missing: [], different: [] };
  for (const [name, family] of stock) {
    const own = ours.get(name);
    if (LEFT_OUT.some(({ names }) => names.test(name))) {
      found.leftOut += 1;
      continue;
    }
    found.compared += 1;
    if (own === undefined) found.missing.push(name);
    else found.different.push(...differencesOf(name, family, own));
  }
  return found;
}

function differencesOf(name, stock, ours) {
  const facts = (family) => ({
    type: family.type,
    series: inOrder(family.series),
    labels: inOrder(family.labels),
    bounds: inOrder([...family.bounds].map(rounded)),
    ...(COUNTED.test(name) && { counts: inOrder([...family.counts].map(([key, count]) => `${key} ${count}`)) }),
  });
  const [wanted, found] = [facts(stock), facts(ours)];
  return Object.keys(wanted)
    .filter((fact) => wanted[fact] !== found[fact])
    .map((fact) => `${name}: ${fact} ${found[fact]}, stock's ${wanted[fact]}`);
}

function inOrder(values) {
  return [...values]
    .map(String)
    .toSorted((one, other) => (one < other ? -1 : 1))
    .join(", ");
}

/** Go multiplies its bounds up, and arrives at 0.0000099999 where we wrote 0.00001. */
function rounded(bound) {
  return Number(Number(bound).toPrecision(9));
}
