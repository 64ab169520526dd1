import { someRounds } from "@kindling/test-kit/rounds";

/** One of so many pages or mistakes is tried; 1: all of them are. */
const ONE_OF = Number(process.env["KINDLING_E2E_ONE_OF"] ?? "1");

/**
 * Draws the pages or mistakes that are tried this time, because each of them takes a while. Each run draws others; with the same
 * `KINDLING_ROUNDS_SEED` it draws the same.
 */
export function drawn<T>(what: string, all: readonly T[]): ReadonlySet<T> {
  return new Set(ONE_OF === 1 ? all : someRounds(what, all, 1 / ONE_OF));
}
