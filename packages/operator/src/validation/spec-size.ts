import type { SparkApplicationSpec } from "@kindling/spark-application";
import { isJsonObject } from "@kindling/spark-application/read";

/**
 * What a spec may have of texts, numbers and switches, templates included. Everybody's applications are worked on in one
 * process, one at a time, and what a submission costs grows with them. Real ones have some hundred; Kubernetes' only limit
 * is the size of an object, 1.5 MiB.
 */
export const MOST_VALUES = 2_000;

/** Why a spec is too large to be worked on; with the field that makes it so. */
export function sizeFaults(spec: SparkApplicationSpec): readonly string[] {
  const sizes = new Map<unknown, number>();
  const total = countInto(sizes, spec);
  if (total <= MOST_VALUES) return [];
  const { path, count } = largestField(sizes, spec, total);
  const whose = path === "spec" ? "" : `: ${count} are in ${path}`;
  return [`spec has ${total} values, and at most ${MOST_VALUES} are taken${whose}`];
}

/** Counts what is in a value; what it is made of is remembered, so that nothing is counted twice. */
function countInto(sizes: Map<unknown, number>, value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  let count = 0;
  for (const member of Object.values(value)) count += countInto(sizes, member);
  sizes.set(value, count);
  return count;
}

/** Goes down as long as one member has more than half of all. */
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
