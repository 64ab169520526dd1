import { ScheduleSyntaxError } from "./schedule-syntax-error.ts";

const UNIT_NANOS: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  // U+00B5 and U+03BC.
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

const LIMIT = 1n << 63n;
/** Matches at every position; empty parts are refused later. */
const PARTS = /(\d*)(?:\.(\d*))?([^\d.]*)/g;

/**
 * Reads a duration as Go's `time.ParseDuration` does: `1h30m`, `1.5h`, `-300ms`; `0` needs no unit.
 *
 * @returns nanoseconds
 * @throws ScheduleSyntaxError with Go's words
 */
export function goDuration(text: string): bigint {
  const isNegative = text.startsWith("-");
  const parts = text.replace(/^[-+]/, "");
  if (parts === "0") return 0n;
  if (parts === "") throw invalid(text);
  let nanos = 0n;
  for (const [part, whole = "", fraction = "", unitName = ""] of parts.matchAll(PARTS)) {
    // The end of the text.
    if (part === "") break;
    if (whole === "" && fraction === "") throw invalid(text);
    if (unitName === "") throw new ScheduleSyntaxError(`time: missing unit in duration ${quoted(text)}`);
    const unit = UNIT_NANOS.get(unitName);
    if (unit === undefined)
      throw new ScheduleSyntaxError(`time: unknown unit ${quoted(unitName)} in duration ${quoted(text)}`);
    // Longer numbers are too large in any unit, and slow to read.
    const significant = whole.replace(/^0+/, "");
    if (significant.length > 19) throw invalid(text);
    nanos += BigInt(significant) * unit + nanosOfFraction(fraction, unit);
    if (nanos > LIMIT) throw invalid(text);
  }
  if (isNegative) return -nanos;
  if (nanos === LIMIT) throw invalid(text);
  return nanos;
}

/** Go computes this part in floating point; digits beyond 63 bits do not count. */
function nanosOfFraction(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (next > LIMIT) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

function invalid(text: string): ScheduleSyntaxError {
  return new ScheduleSyntaxError(`time: invalid duration ${quoted(text)}`);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
