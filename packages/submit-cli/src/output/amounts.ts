import type { Amounts } from "@kindling/submit";

const BYTES = /^(?:memory|ephemeral-storage|hugepages-.*)$/;
const UNITS = ["Ki", "Mi", "Gi", "Ti", "Pi"];

/** An amount of a resource, rounded for people: `1.5` processors, `12.3Gi` of memory, 3 GPUs. */
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

/** All amounts with their names, processors and memory first, but the number of pods; a dash if there are none. */
export function amountsText(amounts: Amounts): string {
  const { cpu, memory, pods: _pods, ...others } = amounts;
  const all = Object.entries({ ...(cpu && { cpu }), ...(memory && { memory }), ...others });
  const shown = all.filter(([, amount]) => amount !== 0).map(([name, amount]) => `${amountText(name, amount)} ${name}`);
  return shown.length === 0 ? "-" : shown.join(", ");
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}
