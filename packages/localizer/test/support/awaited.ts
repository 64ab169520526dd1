import { setTimeout as wait } from "node:timers/promises";

/** Resolves when something has come about. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(5);
}
