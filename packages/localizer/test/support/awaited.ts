import { setTimeout as wait } from "node:timers/promises";

/** Resolves when a condition is true. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(5);
}
