import { someRounds } from "@kindling/test-kit/rounds";

/** One of so many pages or mistakes is tried; 1: all of them are. */
const ONE_OF = Number(process.env["KINDLING_E2E_ONE_OF"] ?? "1");

/**
 * Draws the pages, mistakes or suites that are tried this time, because each of them takes a while. Each run draws others; with
 * the same `KINDLING_ROUNDS_SEED` it draws the same.
 *
 * @param oneOf one of so many is drawn, unless all are tried
 */
export function drawn<T>(what: string, all: readonly T[], oneOf: number = ONE_OF): ReadonlySet<T> {
  return new Set(ONE_OF === 1 ? all : someRounds(what, all, 1 / oneOf));
}
