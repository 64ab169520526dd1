import { withPlaceholders } from "./normalize.ts";

const MOST_LINES = 30;

// Stack frames, what was logged on the way, and what every run of a JVM or of Spark says.
const NOISE =
  /^\s+(?:at |\.\.\. \d+ more)|^\S+ \S+ (?:INFO|WARN|DEBUG) |^WARNING: |^Using Spark's default log4j profile/;

/**
 * What a failed spark-submit said, in lines that can be compared: without stack frames, its usage, what it logged on the
 * way, and what differs from run to run.
 */
export function refusalLines(stderr: string, facts: Readonly<Record<string, string>>): string[] {
  const lines = stderr.split("\n").map((line) => line.trimEnd());
  const usage = lines.findIndex((line) => line.startsWith("Usage: spark-submit"));
  return (usage < 0 ? lines : lines.slice(0, usage))
    .filter((line) => line !== "" && !NOISE.test(line))
    .slice(0, MOST_LINES)
    .map((line) => withPlaceholders(line.replace(/^\d\d\/\d\d\/\d\d \d\d:\d\d:\d\d /, ""), facts));
}
