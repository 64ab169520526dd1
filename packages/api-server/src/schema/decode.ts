import { type JsonObject, type Json, isObject } from "@kindling/kube-objects";
import { decodeScalar } from "./decode-scalar.ts";
import type { Field, ListType, MapType, StructType, Type, UnionType } from "./types.ts";

/** Why a body cannot be read as the type; the message is what the server answers after "cannot be handled as a Pod: ". */
export class DecodeError extends Error {}

export interface DecodeOptions {
  /** Whether to fill in the constant defaults of the schema. */
  readonly defaults: boolean;
  /** Called with the path of each field that the type does not have, such as `spec.containers[0].imagge`. */
  readonly onUnknownField?: (path: string) => void;
}

/** Where the decoder is, for messages only: field names, and numbers for list positions. */
type Position = (string | number)[];

/**
 * Reads parsed JSON as a value of a type, as Go's decoder and encoder together do: fields in the order of the type, unknown
 * ones dropped, empty ones left out or kept by `omitempty`, scalars in the server's own form.
 *
 * @throws DecodeError if a value has the wrong JSON type.
 */
export function decode(type: StructType, input: JsonObject, options: DecodeOptions): JsonObject {
  return decodeStruct(type, input, options, []);
}

function decodeStruct(type: StructType, input: JsonObject, options: DecodeOptions, position: Position): JsonObject {
  const output: JsonObject = {};
  let known = 0;
  for (const field of type.fields) {
    const given = input[field.name];
    if (given === undefined && field.silent) continue;
    if (given !== undefined) known += 1;
    position.push(field.name);
    const value = decodeField(field, given, type, options, position);
    position.pop();
    if (value !== undefined) output[field.name] = value;
  }
  if (options.onUnknownField !== undefined && known < Object.keys(input).length) {
    for (const key of Object.keys(input)) {
      if (!type.byName.has(key)) options.onUnknownField(describe([...position, key]));
    }
  }
  return output;
}

function decodeField(
  field: Field,
  given: Json | undefined,
  owner: StructType,
  options: DecodeOptions,
  position: Position,
): Json | undefined {
  const fallback = options.defaults ? field.default : undefined;
  if (given === undefined || given === null) {
    if (fallback !== undefined) return structuredDefault(field, fallback, options);
    return absent(field, options);
  }
  const value = decodeValue(field.type, given, owner, options, position);
  if (field.pointer || field.omit === "never") return value;
  if (!isEmpty(field.type, value)) return value;
  if (fallback !== undefined) return structuredDefault(field, fallback, options);
  if (field.type.kind === "struct" && field.omit === "empty") return value;
  return undefined;
}

function structuredDefault(field: Field, fallback: Json, options: DecodeOptions): Json {
  if (field.type.kind !== "struct" || !isObject(fallback)) return fallback;
  return decodeStruct(field.type, fallback, options, []);
}

/** What Go prints for a field that was not given. */
function absent(field: Field, options: DecodeOptions): Json | undefined {
  if (field.pointer) return field.omit === "never" ? null : undefined;
  // `omitempty` has no effect on structs: they are printed with the output of their own fields. A zero time prints null.
  if (field.type.kind === "struct") {
    return field.omit === "zero" ? undefined : decodeStruct(field.type, {}, options, []);
  }
  if (field.type.kind === "time" || field.type.kind === "microTime") return field.omit === "zero" ? undefined : null;
  // It has no effect on quantities either, which are structs in Go.
  if (field.omit !== "never" && field.type.kind !== "quantity") return undefined;
  return zero(field.type);
}

function zero(type: Type): Json {
  switch (type.kind) {
    case "string":
    case "duration":
      return "";
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "float64":
    case "intOrString":
      return 0;
    case "quantity":
      return "0";
    case "struct":
      return decodeStruct(type, {}, { defaults: false }, []);
    case "bytes":
    case "any":
    case "time":
    case "microTime":
    case "list":
    case "map":
    case "union":
      return null;
  }
}

function isEmpty(type: Type, value: Json): boolean {
  if (value === "" || value === 0 || value === false || value === null) return type.kind !== "quantity";
  if (Array.isArray(value)) return value.length === 0;
  return type.kind === "map" && isObject(value) && Object.keys(value).length === 0;
}

function decodeValue(type: Type, given: Json, owner: StructType, options: DecodeOptions, position: Position): Json {
  switch (type.kind) {
    case "struct":
      if (!isObject(given)) throw mismatch(type, given, owner, position);
      return decodeStruct(type, given, options, position);
    case "list":
      return decodeList(type, given, owner, options, position);
    case "map":
      return decodeMap(type, given, owner, options, position);
    case "union":
      return decodeUnion(type, given, owner, options, position);
    case "any":
    case "string":
    case "bool":
    case "int32":
    case "int64":
    case "float64":
    case "bytes":
    case "quantity":
    case "intOrString":
    case "time":
    case "microTime":
    case "duration": {
      const result = decodeScalar(type.kind, given);
      if (result.ok) return result.value;
      throw result.message === undefined ? mismatch(type, given, owner, position) : new DecodeError(result.message);
    }
  }
}

function decodeList(type: ListType, given: Json, owner: StructType, options: DecodeOptions, position: Position): Json {
  if (!Array.isArray(given)) throw mismatch(type, given, owner, position);
  return given.map((item, index) => {
    if (item === null) return zero(type.items);
    position.push(index);
    const value = decodeValue(type.items, item, owner, options, position);
    position.pop();
    return value;
  });
}

function decodeMap(type: MapType, given: Json, owner: StructType, options: DecodeOptions, position: Position): Json {
  if (!isObject(given)) throw mismatch(type, given, owner, position);
  const output: JsonObject = {};
  // Go prints maps in the order of their keys.
  for (const key of Object.keys(given).sort()) {
    const item = given[key] ?? null;
    output[key] = item === null ? zero(type.values) : decodeValue(type.values, item, owner, options, position);
  }
  return output;
}

function decodeUnion(
  type: UnionType,
  given: Json,
  owner: StructType,
  options: DecodeOptions,
  position: Position,
): Json {
  if (isObject(given)) return decodeStruct(type.struct, given, options, position);
  if (type.alternative === "bool" && typeof given === "boolean") return given;
  if (Array.isArray(given) && type.alternative !== "bool") {
    return given.map((item) => {
      if (type.alternative === "structs" && isObject(item)) return decodeStruct(type.struct, item, options, position);
      if (type.alternative === "strings" && typeof item === "string") return item;
      throw mismatch(type, given, owner, position);
    });
  }
  throw mismatch(type, given, owner, position);
}

function mismatch(type: Type, given: Json, owner: StructType, position: Position): DecodeError {
  const path = position.filter((part) => typeof part === "string").join(".");
  return new DecodeError(
    `json: cannot unmarshal ${jsonKind(given)} into Go struct field ${owner.name}.${path} of type ${goType(type)}`,
  );
}

function jsonKind(value: Json): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  // Go names the literal if not only the kind is wrong.
  if (typeof value === "number") return Number.isInteger(value) ? "number" : `number ${value}`;
  return typeof value === "string" ? "string" : "object";
}

/** A type as Go writes it in error messages. */
function goType(type: Type): string {
  switch (type.kind) {
    case "struct":
      return `${type.package.slice(type.package.lastIndexOf(".") + 1)}.${type.name}`;
    case "list":
      return `[]${goType(type.items)}`;
    case "map":
      return `map[string]${goType(type.values)}`;
    case "union":
      return goType(type.struct);
    case "bytes":
      return "[]uint8";
    case "quantity":
      return "resource.Quantity";
    case "any":
    case "string":
    case "bool":
    case "int32":
    case "int64":
    case "float64":
    case "intOrString":
    case "time":
    case "microTime":
    case "duration":
      return type.kind;
  }
}

function describe(position: Position): string {
  let text = "";
  for (const part of position) {
    if (typeof part === "number") text += `[${part}]`;
    else text += text === "" ? part : `.${part}`;
  }
  return text;
}
