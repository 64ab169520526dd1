import type { Role } from "../finding.ts";

/** What gives a container more memory: the limit is Spark's memory and the overhead. */
export function memoryAdvice(role: Role): string {
  return (
    `raise spark.${role}.memoryOverhead for memory outside of Java's heap (Python, native code), ` +
    `or spark.${role}.memory for more of both`
  );
}
