import { errorLines } from "@kindling/command-line";

/**
 * An error in the form of an uncaught exception of a JVM, which callers look for in a log: Airflow looks for `Exception in
 * thread "…"`, Kyuubi for the same and then `Caused by: `, but not in a first line that contains `at `, as lines of a stack
 * trace do. So the first line is always the same, and the message follows it.
 */
export function exceptionText(error: unknown): string {
  const [message, ...hints] = errorLines(error, false).map(({ text }) => text);
  const hint = hints.length === 0 ? "" : ` (${hints.join("; ")})`;
  return `Exception in thread "main" org.apache.spark.SparkException: Submission failed.\nCaused by: ${message ?? ""}${hint}\n`;
}
