import { javaDoubleToString, javaTrim, quotedName } from "@kindling/core-spec";
import type { TemplateFloat, TemplateNode, TemplateScalar } from "./template-node.ts";

/** How Spark's client reads numbers, as far as its versions differ. */
export interface NumberReader {
  /** Whether 32-bit integers may be octal in file modes and must not have a fraction (GoIntegerDeserializer). */
  readonly goIntegers: boolean;
}

/** What is wrong with a value. */
export interface Wrong {
  readonly wrong: string;
}

type Value = string | number | boolean | undefined;
type Given = TemplateScalar | TemplateFloat;
type Read = (given: Given, reader: NumberReader) => Value | Wrong;

const INT32 = 2 ** 31;

/**
 * How Spark's client converts a value for a field of a simple type: Jackson's rules for strings, and for numbers and booleans
 * used instead of each other (measured with Spark 3.5.9 to 4.3.0). `undefined`: as if the field was not there.
 */
const SCALARS: Readonly<Record<string, Read>> = {
  string: ({ text }) => text,
  bool: booleanOf,
  int32: (given, reader) => (reader.goIntegers ? goInteger(given, false) : wholeNumber(given, INT32)),
  mode: (given, reader) => (reader.goIntegers ? goInteger(given, true) : wholeNumber(given, INT32)),
  int64: (given) => wholeNumber(given, 2 ** 63),
  Quantity: quantityOf,
  IntOrString: intOrString,
  any: anyOf,
};

/** The reader of a simple type; `undefined` for a type with fields or items. */
export function scalarReader(type: string): Read | undefined {
  return SCALARS[type];
}

/** A value in words, for an error about its type. */
export function describe(node: TemplateNode): string {
  if (node.kind === "map") return "an object";
  if (node.kind === "list") return "a list";
  if (node.kind === "null") return "nothing";
  return node.kind === "text" || node.kind === "bytes" ? `the text ${quotedName(node.text)}` : node.text;
}

function booleanOf(given: Given): Value | Wrong {
  if (given.kind === "boolean") return given.text === "true";
  if (given.kind === "integer") return !/^-?0+$/.test(given.text);
  const text = javaTrim(given.text);
  if (given.kind === "text") {
    if (text === "" || text === "null") return undefined;
    if (/^(?:true|True|TRUE)$/.test(text)) return true;
    if (/^(?:false|False|FALSE)$/.test(text)) return false;
  }
  return { wrong: `${describe(given)} is neither true nor false` };
}

/** @param limit the first number that is too large; its negative is the smallest allowed number */
function wholeNumber(given: Given, limit: number): Value | Wrong {
  if (given.kind === "text") {
    const text = javaTrim(given.text);
    if (text === "" || text === "null") return undefined;
    return /^[-+]?\d+$/.test(text) ? inRange(given, Number(text), limit) : notWhole(given);
  }
  if (given.kind === "integer") return inRange(given, Number(given.text), limit);
  // Java cuts fractions off, and turns NaN into 0.
  if (given.kind === "float")
    return inRange(given, Math.trunc(Number.isNaN(given.number) ? 0 : given.number) + 0, limit);
  return notWhole(given);
}

function goInteger(given: Given, isMode: boolean): Value | Wrong {
  if (given.kind !== "text" && given.kind !== "integer") return notWhole(given);
  if (isMode && /^0[oO]?[0-7]+$/.test(given.text)) return Number.parseInt(given.text.replace(/^0[oO]?/, ""), 8);
  return /^[-+]?\d+$/.test(given.text) ? inRange(given, Number(given.text), INT32) : notWhole(given);
}

function inRange(given: Given, number: number, limit: number): Value | Wrong {
  if (number >= limit || number < -limit) return { wrong: `${describe(given)} is too large` };
  // For larger numbers, JavaScript would write a different one.
  return Number.isSafeInteger(number)
    ? number
    : { wrong: `${describe(given)} is larger than ${Number.MAX_SAFE_INTEGER}` };
}

function notWhole(given: Given): Wrong {
  return { wrong: `${describe(given)} is not a whole number` };
}

const UNIT = /[eEinumkKMGTP].*$/s;

/** Quantity.parse of the client: a number, and a text that may be a unit. */
function quantityOf(given: Given): Value | Wrong {
  const text = given.kind === "float" ? javaDoubleToString(given.number) : given.text;
  const [unit = ""] = UNIT.exec(text) ?? [];
  const isQuantity = text.length > unit.length && !(/\d/.test(unit) && /\p{Alphabetic}$/u.test(unit));
  return isQuantity ? text : { wrong: `${describe(given)} is not a quantity` };
}

function intOrString(given: Given): Value | Wrong {
  if (given.kind === "text") return given.text;
  const number = given.kind === "integer" ? Number(given.text) : Number.NaN;
  if (number >= -INT32 && number < INT32) return number;
  return { wrong: `${describe(given)} is neither a whole number nor a text` };
}

function anyOf(given: Given): Value {
  if (given.kind === "boolean") return given.text === "true";
  if (given.kind === "integer") return Number(given.text);
  if (given.kind === "float" && Number.isFinite(given.number)) return given.number;
  return given.text;
}
