import { javaTrim } from "./java-text.ts";

// Powers of 1024 by suffix, as Spark reads sizes (3.5.6 and 4.1.1, network/util/JavaUtils.java `byteStringAs`).
const SUFFIX_POWER: Readonly<Record<string, number>> = {
  b: 0,
  k: 1,
  kb: 1,
  m: 2,
  mb: 2,
  g: 3,
  gb: 3,
  t: 4,
  tb: 4,
  p: 5,
  pb: 5,
};

export type ByteUnit = "b" | "k" | "m" | "g";

/**
 * Reads a size as Spark does: a whole number with an optional suffix (`b k kb m mb g gb t tb p pb`, any case).
 *
 * @param unit what a number without suffix means, and the unit of the result
 * @returns the size in `unit`, truncated; `undefined` if the text is no size or is out of range
 */
export function parseBytes(text: string, unit: ByteUnit): bigint | undefined {
  const match = /^([0-9]+)([a-z]+)?$/.exec(javaTrim(text).toLowerCase());
  if (match === null) return undefined;
  const [, digits = "", suffix = unit] = match;
  const power = SUFFIX_POWER[suffix];
  const unitPower = SUFFIX_POWER[unit];
  if (power === undefined || unitPower === undefined) return undefined;
  const number = longOf(digits);
  if (number === undefined) return undefined;
  const value = (number << BigInt(10 * power)) >> BigInt(10 * unitPower);
  return value > LONG_MAX ? undefined : value;
}

const LONG_MAX = (1n << 63n) - 1n;

/**
 * A text of digits as Java's `Long.parseLong` reads it; `undefined` if it is out of a long's range, or has more than 100
 * digits.
 */
export function longOf(digits: string): bigint | undefined {
  if (digits.length > 100) return undefined;
  const number = BigInt(digits);
  return number > LONG_MAX || number < -LONG_MAX - 1n ? undefined : number;
}
