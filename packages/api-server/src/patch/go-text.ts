import { type Json, isObject } from "../../json.ts";

/** A JSON value as Go prints it with `%v`, which some of the server's messages show. */
export function goText(value: Json | undefined): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (!isObject(value)) return String(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${key}:${goText(value[key])}`);
  return `map[${members.join(" ")}]`;
}

const MISMATCH = /^json: cannot unmarshal (\w+)(?: \S+)? into Go struct field \S+ of type (\S+)$/;
const GO_TYPES: Readonly<Record<string, string>> = {
  number: "int64",
  object: "map[string]interface {}",
  array: "[]interface {}",
};
const GO_KINDS: Readonly<Record<string, string>> = { number: "int64", object: "map", array: "slice" };
const SCALARS = new Set(["string", "bool", "int32", "int64", "float64"]);

/** The decoder's message as the converter words it by which strategic merge patches go. */
export function conversionError(message: string): string {
  const [, given = "", wanted = ""] = MISMATCH.exec(message) ?? [];
  if (given === "") return message;
  const kind = GO_KINDS[given] ?? given;
  if (SCALARS.has(wanted)) return `cannot convert ${GO_TYPES[given] ?? given} to ${wanted}`;
  if (wanted.startsWith("map[")) return `cannot restore map from ${kind}`;
  if (wanted.startsWith("[]")) return `cannot restore slice from ${kind}`;
  return `cannot restore struct from: ${kind}`;
}
