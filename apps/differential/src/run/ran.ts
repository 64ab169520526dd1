import type { Ran } from "@kindling/recordings";

/** Whether the process did not come to an end, or not to one of its own. */
export function isBroken({ exit }: Pick<Ran, "exit">): boolean {
  return exit === 124 || exit === 125;
}
