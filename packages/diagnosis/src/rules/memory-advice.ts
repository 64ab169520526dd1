import type { Role } from "../finding.ts";

/** How to give a container more memory: the limit is Spark's memory plus the overhead. */
export function memoryAdvice(role: Role): string {
  return (
    `raise spark.${role}.memoryOverhead for memory outside of Java's heap (Python, native code), ` +
    `or spark.${role}.memory for more of both`
  );
}
