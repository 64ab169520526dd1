import { javaTrim } from "./java-text.ts";
import { longOf } from "./bytes.ts";

// Microseconds by suffix, as Spark reads times (3.5.6 and 4.1.1, network/util/JavaUtils.java `timeStringAs`).
const SUFFIX_MICROS: Readonly<Record<string, bigint>> = {
  us: 1n,
  ms: 1_000n,
  s: 1_000_000n,
  m: 60_000_000n,
  min: 60_000_000n,
  h: 3_600_000_000n,
  d: 86_400_000_000n,
};

export type TimeUnit = "ms" | "s" | "min";

/**
 * Reads a duration as Spark does: a whole number, perhaps negative, with an optional suffix (`us ms s m min h d`).
 *
 * @param unit what a number without suffix means, and the unit of the result
 * @returns the duration in `unit`, truncated towards zero; `undefined` if the text is no duration
 */
export function parseTime(text: string, unit: TimeUnit): number | undefined {
  const match = /^(-?[0-9]+)([a-z]+)?$/.exec(javaTrim(text).toLowerCase());
  if (match === null) return undefined;
  const [, digits = "", suffix = unit] = match;
  const micros = SUFFIX_MICROS[suffix];
  const unitMicros = SUFFIX_MICROS[unit];
  if (micros === undefined || unitMicros === undefined) return undefined;
  const number = longOf(digits);
  return number === undefined ? undefined : Number((number * micros) / unitMicros);
}
