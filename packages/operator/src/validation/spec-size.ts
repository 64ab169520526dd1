import type { SparkApplicationSpec, SparkConnectSpec } from "@kindling/spark-application";
import { isJsonObject } from "@kindling/spark-application/read";

/**
 * How many texts, numbers and booleans a spec may have, templates included. One process works on the applications of all
 * users, one at a time, and the cost of a submission grows with this number. Real specs have some hundred; Kubernetes
 * limits only the size of an object, to 1.5 MiB.
 */
export const MOST_VALUES = 2_000;

/** Why a spec is too large, with the field that makes it too large. */
export function sizeFaults(spec: SparkApplicationSpec | SparkConnectSpec): readonly string[] {
  const sizes = new Map<unknown, number>();
  const total = countInto(sizes, spec);
  if (total <= MOST_VALUES) return [];
  const { path, count } = largestField(sizes, spec, total);
  const whose = path === "spec" ? "" : `: ${count} are in ${path}`;
  return [`spec has ${total} values, and at most ${MOST_VALUES} are allowed${whose}`];
}

/** Counts the values inside a value. It remembers the count of each part, so that no part is counted twice. */
function countInto(sizes: Map<unknown, number>, value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  let count = 0;
  for (const member of Object.values(value)) count += countInto(sizes, member);
  sizes.set(value, count);
  return count;
}

/** Goes down as long as one member has more than half of all values. */
function largestField(
  sizes: ReadonlyMap<unknown, number>,
  spec: unknown,
  total: number,
): { readonly path: string; readonly count: number } {
  let [path, value, count] = ["spec", spec, total];
  for (;;) {
    const members = isJsonObject(value) ? Object.entries(value) : [];
    const found = members.find(([, member]) => (sizes.get(member) ?? 0) > total / 2);
    if (found === undefined) return { path, count };
    const [name, member] = found;
    [path, value, count] = [`${path}.${name}`, member, sizes.get(member) ?? 0];
  }
}
