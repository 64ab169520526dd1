import { goDuration } from "../schedule/cron/go-duration.ts";
import { readCommaList } from "./comma-list.ts";
import type { FlagKind } from "./flag.ts";

/** What a right value is, for error messages. */
export const WANTED: Readonly<Record<FlagKind, string>> = {
  switch: "true or false",
  integer: "a whole number",
  number: "a number",
  duration: "a duration such as 30s or 1h30m",
  text: "a text",
  list: "names with commas between them",
  numbers: "numbers with commas between them",
  json: "JSON",
  gates: "gates such as PartialRestart=true, with commas between them",
};

/** Reads a text of the command line; undefined if it is no value of the kind. */
type Read<T> = (text: string) => T | undefined;

export const READ: {
  readonly switch: Read<boolean>;
  readonly integer: Read<number>;
  readonly number: Read<number>;
  /** Milliseconds. */
  readonly duration: Read<number>;
  readonly text: Read<string>;
  readonly list: Read<readonly string[]>;
  readonly numbers: Read<readonly number[]>;
  readonly json: Read<{ readonly value: unknown }>;
  readonly gates: Read<string>;
} = {
  switch: readSwitch,
  integer: (text) => (/^[+-]?(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined),
  number: readNumber,
  duration: readMilliseconds,
  text: (text) => text,
  list: readCommaList,
  numbers: readNumbers,
  json: readJson,
  gates: (text) => text,
};

// As Go's strconv.ParseBool.
const TRUE: ReadonlySet<string> = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const FALSE: ReadonlySet<string> = new Set(["0", "f", "F", "false", "FALSE", "False"]);

function readSwitch(text: string): boolean | undefined {
  if (TRUE.has(text)) return true;
  return FALSE.has(text) ? false : undefined;
}

function readNumber(text: string): number | undefined {
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

function readMilliseconds(text: string): number | undefined {
  try {
    return Number(goDuration(text)) / 1e6;
  } catch {
    return undefined;
  }
}

function readNumbers(text: string): readonly number[] | undefined {
  const numbers: number[] = [];
  for (const part of text.split(",")) {
    const number = readNumber(part.trim());
    if (number === undefined) return undefined;
    numbers.push(number);
  }
  return numbers;
}

/** An empty text means no value: people write it so to leave a flag out. */
function readJson(text: string): { readonly value: unknown } | undefined {
  if (text === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
