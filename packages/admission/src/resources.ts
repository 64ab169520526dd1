import { parseQuantity } from "@kindling/core-spec";

/**
 * Amounts by the name of the resource, as a node and a pod name them: `cpu` in thousandths of a processor, `memory` and
 * other storage in bytes, `pods` and extended resources such as `nvidia.com/gpu` by number. A name that is missing is none
 * of it.
 */
export type Resources = Readonly<Record<string, number>>;

/** Limits by the name of the resource. A name that is missing is not limited. */
export type ResourceLimits = Readonly<Record<string, number>>;

export const NO_RESOURCES: Resources = {};

/**
 * Reads a map of quantities, such as the requests of a container or what a node has; parts are rounded up. A text that is
 * no quantity counts as nothing: the API server refuses an object that has one.
 */
export function readResources(quantities: Readonly<Record<string, string | number>> | undefined): Resources {
  return Object.fromEntries(
    Object.entries(quantities ?? {}).map(([name, text]) => [name, amountIn(String(text), name === "cpu" ? 1000n : 1n)]),
  );
}

/** A quantity in parts of which `parts` make one whole, rounded up; 0 for a text that is no quantity. */
export function amountIn(text: string, parts: bigint): number {
  const { numerator, denominator } = parseQuantity(text) ?? { numerator: 0n, denominator: 1n };
  const scaled = numerator * parts;
  const whole = scaled / denominator;
  return Number(scaled > whole * denominator ? whole + 1n : whole);
}

const BINARY_SUFFIXES = ["Ei", "Pi", "Ti", "Gi", "Mi", "Ki"];

/** An amount as a quantity that people would write: `1.5` processors, `4Gi` of memory, 3 pods. */
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

/** Amounts below nothing stay, so that what was taken too much can be seen. */
export function subtract(a: Resources, b: Resources): Resources {
  return combine(a, b, (x, y) => x - y);
}

/** Of each resource the greater amount. */
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

/** Whether there is enough of all that is asked for; what is not asked for may even be overdrawn. */
export function fits(request: Resources, room: Resources): boolean {
  return Object.entries(request).every(([name, amount]) => amount <= 0 || amount <= (room[name] ?? 0));
}

/** The greatest part of a resource of `total` that is used (dominant resource fairness, Ghodsi et al., NSDI 2011). */
export function dominantShare(used: Resources, total: Resources): number {
  let share = 0;
  // This is asked for at every step of a plan: without entries, which would be made anew each time.
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
