import { isConfPrefix, sizeHint } from "@kindling/core-spec";
import { allKeys } from "@kindling/steps";
import { typographicQuoteIn } from "./typographic.ts";

/** The flags that users know for these keys, and the values that they accept. */
const TAKES: Readonly<Record<string, string>> = {
  "spark.driver.memory": "--driver-memory takes a whole number and a unit, such as 2g",
  "spark.executor.memory": "--executor-memory takes a whole number and a unit, such as 2g",
  "spark.driver.cores": "--driver-cores takes a whole number from 1",
  "spark.executor.cores": "--executor-cores takes a whole number from 1",
  "spark.cores.max": "--total-executor-cores takes a whole number from 1",
  "spark.executor.instances": "--num-executors takes a whole number from 1",
};
/** Parts of a CPU as in pod specifications: `500m`, `0.5`, `1500m`. */
const PART_OF_CPU = /^(?:\d+m|\d*\.\d+)$/;

/** What to do about a size or a number that spark-submit refuses. */
export function valueHint(key: string, text: string): string {
  const quote = typographicQuoteIn(text);
  if (quote !== undefined) return `leave out the quotation mark ${quote}, or write a straight one`;
  const size = key.endsWith(".memory") ? sizeHint(text) : undefined;
  if (size !== undefined) return size;
  const [, role] = /^spark\.(driver|executor)\.cores$/.exec(key) ?? [];
  if (role !== undefined && PART_OF_CPU.test(text.trim())) {
    return `a whole number counts here, of tasks at once; what the pod asks for is spark.kubernetes.${role}.request.cores=${text.trim()}`;
  }
  return TAKES[key] ?? `write ${key}=…`;
}

/**
 * Notices about sizes in Kubernetes' units that only the driver reads: the driver ends at once because of them. Other readers
 * report such sizes themselves.
 */
export function foreignSizes(entries: Readonly<Record<string, string>>): readonly string[] {
  return allKeys().flatMap((key) => {
    if (isConfPrefix(key) || !key.type.name.startsWith("bytes") || key.readBy.includes("submit")) return [];
    const hint = sizeHint(entries[key.key] ?? "");
    return hint === undefined ? [] : [`${key.key}: ${entries[key.key]} is no size to the driver; ${hint}`];
  });
}
