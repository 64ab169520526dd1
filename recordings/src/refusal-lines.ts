import { withPlaceholders } from "./normalize.ts";

const MOST_LINES = 30;

// Stack frames, log lines, and what every run of a JVM or of Spark prints.
const NOISE =
  /^\s+(?:at |\.\.\. \d+ more)|^\S+ \S+ (?:INFO|WARN|DEBUG) |^WARNING: |^Using Spark's default log4j profile/;

/**
 * The error output of a failed spark-submit, in comparable lines: without stack frames, its usage, its log, and the parts
 * that differ between runs.
 */
export function refusalLines(stderr: string, facts: Readonly<Record<string, string>>): string[] {
  const lines = stderr.split("\n").map((line) => line.trimEnd());
  const usage = lines.findIndex((line) => line.startsWith("Usage: spark-submit"));
  return (usage < 0 ? lines : lines.slice(0, usage))
    .filter((line) => line !== "" && !NOISE.test(line))
    .slice(0, MOST_LINES)
    .map((line) => withPlaceholders(line.replace(/^\d\d\/\d\d\/\d\d \d\d:\d\d:\d\d /, ""), facts));
}
