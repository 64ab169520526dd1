import type { Ran } from "@kindling/recordings";

/** Whether the process did not end, or did not end by itself. */
export function isBroken({ exit }: Pick<Ran, "exit">): boolean {
  return exit === 124 || exit === 125;
}
