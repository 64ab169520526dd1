import { javaTrim, withAsciiDigits } from "../units/java-text.ts";
import { parseBytes, type ByteUnit } from "../units/bytes.ts";
import { parseTime, type TimeUnit } from "../units/time.ts";

/** How the text of a configuration value becomes a value. */
export interface ConfType<T> {
  /** The kind of value, as the configuration reference shows it. */
  readonly name: string;
  /** Reads the text; a {@link Misfit} says in words what was expected. */
  parse(text: string): T | Misfit;
}

const MISFIT: unique symbol = Symbol("misfit");

/** What a text should have been: "a whole number", "a size such as 512m or 2g". */
export interface Misfit {
  readonly [MISFIT]: true;
  readonly expected: string;
}

export function misfit(expected: string): Misfit {
  return { [MISFIT]: true, expected };
}

export function isMisfit(value: unknown): value is Misfit {
  return typeof value === "object" && value !== null && MISFIT in value;
}

export const text: ConfType<string> = { name: "string", parse: (value) => value };

/** `true` or `false`, in any case (Scala's `toBoolean`), with any blanks around it that Java's `trim` removes. */
export const boolean: ConfType<boolean> = {
  name: "boolean",
  parse(value) {
    const lower = javaTrim(value).toLowerCase();
    return lower === "true" ? true : lower === "false" ? false : misfit("true or false");
  },
};

/** More digits than a long has, so that leading zeros are allowed; a million of them would take long to read. */
const MOST_DIGITS = 100;

function wholeNumber(name: string, min: bigint, max: bigint, trim: (value: string) => string): ConfType<number> {
  return {
    name,
    parse(value) {
      const text = withAsciiDigits(trim(value));
      if (text.length > MOST_DIGITS || !/^[+-]?\d+$/.test(text)) return misfit("a whole number");
      const number = BigInt(text.replace(/^\+/, ""));
      return number < min || number > max ? misfit(`a whole number from ${min} to ${max}`) : Number(number);
    },
  };
}

const INT_MAX = 2n ** 31n - 1n;
const LONG_MAX = 2n ** 63n - 1n;

export const int: ConfType<number> = wholeNumber("int", -INT_MAX - 1n, INT_MAX, javaTrim);
export const long: ConfType<number> = wholeNumber("long", -LONG_MAX - 1n, LONG_MAX, javaTrim);

/** An int that Spark reads by `SparkConf.getInt`, which allows no blanks around it. */
export const bareInt: ConfType<number> = wholeNumber("int", -INT_MAX - 1n, INT_MAX, (value) => value);

/** A Java double: `0.1`, `1e-3`, `0x1p-3`, with Java's optional `d` or `f` at the end; also `Infinity` and `NaN`. */
export const double: ConfType<number> = {
  name: "double",
  parse(value) {
    const trimmed = javaTrim(value);
    if (/^[+-]?(?:Infinity|NaN|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[dDfF]?)$/.test(trimmed))
      return Number(trimmed.replace(/[dDfF]$/, "").replace(/^[+-](?=NaN)/, ""));
    return hexadecimal(trimmed) ?? misfit("a number such as 0.1");
  },
};

/** As `Double.valueOf` accepts it: hexadecimal digits, with or without a point, and a power of two. */
function hexadecimal(text: string): number | undefined {
  const [, sign, whole = "", fraction = "", power] =
    /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)[dDfF]?$/.exec(text) ?? [];
  if (power === undefined || whole + fraction === "") return undefined;
  const number = Number(`0x${whole}${fraction}`) * 2 ** (Number(power) - 4 * fraction.length);
  return sign === "-" ? -number : number;
}

/** A comma separated list; items are trimmed, and empty items are dropped (Spark's `stringToSeq`). */
export const list: ConfType<readonly string[]> = {
  name: "list",
  parse: (value) => splitList(value),
};

/** Splits a comma separated list as Spark does: items are trimmed, and empty items are dropped. */
export function splitList(value: string): string[] {
  return value
    .split(",")
    .map(javaTrim)
    .filter((item) => item !== "");
}

/**
 * A size, in `unit` when the text has no suffix; the value is in `unit` too, truncated. It may be negative (3.5.6,
 * internal/config/ConfigBuilder.scala, `byteFromString`): keys that allow no negative size must be `checked`.
 */
export function bytes(unit: ByteUnit): ConfType<number> {
  return {
    name: `bytes (${unit === "b" ? "B" : `${unit.toUpperCase()}iB`})`,
    parse(value) {
      const isNegative = value.startsWith("-");
      const parsed = parseBytes(isNegative ? value.slice(1) : value, unit);
      if (parsed === undefined) return misfit("a size such as 512m or 2g, without a fraction");
      return Number(isNegative ? -parsed : parsed);
    },
  };
}

/** A duration, in `unit` when the text has no suffix; the value is in `unit` too, truncated. */
export function time(unit: TimeUnit): ConfType<number> {
  return {
    name: `time (${unit})`,
    parse: (value) => parseTime(value, unit) ?? misfit("a duration such as 500ms, 30s or 5min"),
  };
}

/** One of a few words, spelled exactly. */
export function oneOf<const W extends string>(...words: readonly W[]): ConfType<W> {
  return {
    name: words.join(" | "),
    parse: (value) => words.find((word) => word === value) ?? misfit(`one of ${words.join(", ")}`),
  };
}

/** A type with a condition for its values; `expected` describes the condition in words. */
export function checked<T>(type: ConfType<T>, holds: (value: T) => boolean, expected: string): ConfType<T> {
  return {
    name: type.name,
    parse(value) {
      const parsed = type.parse(value);
      return isMisfit(parsed) || holds(parsed) ? parsed : misfit(expected);
    },
  };
}
