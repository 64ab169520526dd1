import { someRounds } from "@kindling/test-kit/rounds";

/** Of so many pages or mistakes one is tried: 1 is all of them. */
const ONE_OF = Number(process.env["KINDLING_E2E_ONE_OF"] ?? "1");

/**
 * Those that are tried this time, of many that each take a while and that differ by what is written alone. Each run draws
 * others; with the same `KINDLING_ROUNDS_SEED` it draws the same.
 */
export function drawn<T>(what: string, all: readonly T[]): ReadonlySet<T> {
  return new Set(ONE_OF === 1 ? all : someRounds(what, all, 1 / ONE_OF));
}
