/** Amounts by the name of the resource: `cpu` in thousandths of a CPU, `memory` in bytes, others as numbers. */
export type Amounts = Readonly<Record<string, number>>;

const BYTES = /^(?:memory|ephemeral-storage|hugepages-.*)$/;
const UNITS = ["Ki", "Mi", "Gi", "Ti", "Pi"];

/** An amount of a resource, rounded for people: `1.5` CPUs, `12.3Gi` of memory, 3 pods. */
export function amountText(resource: string, amount: number): string {
  if (resource === "cpu") return rounded(amount / 1000);
  if (!BYTES.test(resource)) return rounded(amount);
  let [value, unit] = [amount, ""];
  for (const next of UNITS) {
    if (Math.abs(value) < 1024) break;
    [value, unit] = [value / 1024, next];
  }
  return `${rounded(value)}${unit}`;
}

/** All amounts with their names, such as `4 cpu, 16Gi memory`, without the number of pods; empty if there are none. */
export function amountsText(amounts: Amounts): string {
  return Object.entries(amounts)
    .filter(([resource, amount]) => amount !== 0 && resource !== "pods")
    .toSorted(([a], [b]) => compareResources(a, b))
    .map(([resource, amount]) => `${amountText(resource, amount)} ${resource}`)
    .join(", ");
}

/** CPU and memory first, then the others by name. */
export function compareResources(a: string, b: string): number {
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
}

function rank(resource: string): number {
  const index = ["cpu", "memory"].indexOf(resource);
  return index < 0 ? 2 : index;
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}
