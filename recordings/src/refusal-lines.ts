import { withPlaceholders } from "./normalize.ts";

const MOST_LINES = 30;

/**
 * What a failed spark-submit said, in lines that can be compared: without stack frames, its usage, what it logged on the
 * way, and what differs from run to run.
 */
export function refusalLines(stderr: string, facts: Readonly<Record<string, string>>): string[] {
  const lines = stderr.split("\n").map((line) => line.trimEnd());
  const usage = lines.findIndex((line) => line.startsWith("Usage: spark-submit"));
  return (usage < 0 ? lines : lines.slice(0, usage))
    .filter((line) => line !== "" && !/^\s+(?:at |\.\.\. \d+ more)/.test(line) && !/^\S+ \S+ (?:INFO|WARN|DEBUG) /.test(line))
    .slice(0, MOST_LINES)
    .map((line) => withPlaceholders(line.replace(/^\d\d\/\d\d\/\d\d \d\d:\d\d:\d\d /, ""), facts));
}
