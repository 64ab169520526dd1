import { parseQuantity } from "@kindling/core-spec";

/**
 * Amounts by the name of the resource, as in nodes and pods: `cpu` in thousandths of a CPU, `memory` and other storage in
 * bytes, `pods` and extended resources such as `nvidia.com/gpu` as numbers. A missing name means 0.
 */
export type Resources = Readonly<Record<string, number>>;

/** Limits by the name of the resource. A missing name means no limit. */
export type ResourceLimits = Readonly<Record<string, number>>;

export const NO_RESOURCES: Resources = {};

/**
 * Reads a map of quantities, such as the requests of a container or the capacity of a node; fractions are rounded up. A text
 * that is not a quantity counts as 0: the API server refuses objects with such a text.
 */
export function readResources(quantities: Readonly<Record<string, string | number>> | undefined): Resources {
  return Object.fromEntries(
    Object.entries(quantities ?? {}).map(([name, text]) => [name, amountIn(String(text), name === "cpu" ? 1000n : 1n)]),
  );
}

/** A quantity in parts (`parts` of them are one unit), rounded up; 0 for a text that is not a quantity. */
export function amountIn(text: string, parts: bigint): number {
  const { numerator, denominator } = parseQuantity(text) ?? { numerator: 0n, denominator: 1n };
  const scaled = numerator * parts;
  const whole = scaled / denominator;
  return Number(scaled > whole * denominator ? whole + 1n : whole);
}

const BINARY_SUFFIXES = ["Ei", "Pi", "Ti", "Gi", "Mi", "Ki"];

/** An amount as people would write it: `1.5` CPUs, `4Gi` of memory, 3 pods. */
export function amountText(name: string, amount: number): string {
  if (name === "cpu") return String(amount / 1000);
  const isBytes = name === "memory" || name === "ephemeral-storage" || name.startsWith("hugepages-");
  if (!isBytes || amount === 0) return String(amount);
  const index = BINARY_SUFFIXES.findIndex((_, place) => amount % 1024 ** (6 - place) === 0);
  return index < 0 ? String(amount) : `${amount / 1024 ** (6 - index)}${BINARY_SUFFIXES[index]}`;
}

export function add(a: Resources, b: Resources): Resources {
  return combine(a, b, (x, y) => x + y);
}

/** Negative amounts stay, so that it can be seen if too much was taken. */
export function subtract(a: Resources, b: Resources): Resources {
  return combine(a, b, (x, y) => x - y);
}

/** The larger amount of each resource. */
export function larger(a: Resources, b: Resources): Resources {
  return combine(a, b, Math.max);
}

export function multiply(a: Resources, times: number): Resources {
  return Object.fromEntries(Object.entries(a).map(([name, amount]) => [name, amount * times]));
}

export function sum(all: Iterable<Resources>): Resources {
  let total = NO_RESOURCES;
  for (const one of all) total = add(total, one);
  return total;
}

/** Whether there is enough of everything that is requested; other resources may even be negative. */
export function fits(request: Resources, room: Resources): boolean {
  return Object.entries(request).every(([name, amount]) => amount <= 0 || amount <= (room[name] ?? 0));
}

/** The highest fraction of any resource of `total` that is used (dominant resource fairness, Ghodsi et al., NSDI 2011). */
export function dominantShare(used: Resources, total: Resources): number {
  let share = 0;
  // This is called at every step of a plan, so it avoids `Object.entries`, which would create a new list each time.
  for (const name in total) {
    const amount = total[name] ?? 0;
    if (amount > 0) share = Math.max(share, (used[name] ?? 0) / amount);
  }
  return share;
}

function combine(a: Resources, b: Resources, operation: (x: number, y: number) => number): Resources {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...names].map((name) => [name, operation(a[name] ?? 0, b[name] ?? 0)]));
}
