import { type Json, type JsonObject, formatMicroTime, formatTime } from "@kindling/kube-objects";
import type { Field, StructType, Type } from "./types.ts";
import { type WireField, readWireFields } from "./wire-format.ts";

/** Bodies in Kubernetes' protobuf begin with these bytes, followed by a `runtime.Unknown`. */
const MAGIC = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/** A body is not what its media type says. */
export class ProtobufError extends Error {}

/**
 * Reads a body in Kubernetes' protobuf, which Go clients send, as a JSON object. If the body has another kind than the type,
 * only kind and version are read.
 *
 * @throws ProtobufError
 */
export function decodeProtobuf(type: StructType, body: Buffer): JsonObject {
  if (!body.subarray(0, 4).equals(MAGIC))
    throw new ProtobufError("provided data does not appear to be a protobuf message");
  const unknown = readWireFields(body.subarray(4));
  const typeMeta = readWireFields(bytesOf(unknown, 1) ?? Buffer.alloc(0));
  const apiVersion = bytesOf(typeMeta, 1)?.toString() ?? "";
  const kind = bytesOf(typeMeta, 2)?.toString() ?? "";
  const content = kind === type.name ? structValue(type, bytesOf(unknown, 2) ?? Buffer.alloc(0)) : {};
  return { kind, apiVersion, ...content };
}

function bytesOf(fields: readonly WireField[], number: number): Buffer | undefined {
  const found = fields.findLast((field) => field.number === number);
  return found !== undefined && found.value instanceof Buffer ? found.value : undefined;
}

function structValue(type: StructType, message: Buffer): JsonObject {
  const object: JsonObject = {};
  readInto(object, type.fields, message, "");
  return object;
}

// Go structs that are inlined in JSON are separate messages here: `prefix` is the path to them.
function readInto(object: JsonObject, fields: readonly Field[], message: Buffer, prefix: string): void {
  const byNumber = new Map<string, Field>();
  const inlined = new Set<string>();
  for (const field of fields) {
    if (field.number === "" || !field.number.startsWith(prefix)) continue;
    const [own = "", ...below] = field.number.slice(prefix.length).split(".");
    if (below.length === 0) byNumber.set(own, field);
    else inlined.add(own);
  }
  for (const wire of readWireFields(message)) {
    const number = String(wire.number);
    const field = byNumber.get(number);
    if (field !== undefined) addValue(object, field, wire);
    else if (inlined.has(number) && wire.value instanceof Buffer)
      readInto(object, fields, wire.value, `${prefix}${number}.`);
  }
}

function addValue(object: JsonObject, { name, type }: Field, wire: WireField): void {
  if (type.kind === "list") {
    const known = object[name];
    object[name] = [...(Array.isArray(known) ? known : []), value(type.items, wire)];
  } else if (type.kind === "map") {
    if (!(wire.value instanceof Buffer)) return;
    const entry = readWireFields(wire.value);
    const key = bytesOf(entry, 1)?.toString() ?? "";
    const item = entry.find((field) => field.number === 2) ?? { number: 2, value: Buffer.alloc(0) };
    object[name] = { ...(object[name] as JsonObject | undefined), [key]: value(type.values, item) };
  } else {
    object[name] = value(type, wire);
  }
}

function value(type: Type, { value: raw }: WireField): Json {
  if (!(raw instanceof Buffer)) return type.kind === "bool" ? raw !== 0n : Number(raw);
  switch (type.kind) {
    case "struct":
      return structValue(type, raw);
    case "union":
      return structValue(type.struct, raw);
    case "list":
      // A list in a list or a map is a message with one repeated field.
      return readWireFields(raw).map((item) => value(type.items, item));
    case "string":
      return raw.toString();
    case "bytes":
      return raw.toString("base64");
    case "quantity":
      return bytesOf(readWireFields(raw), 1)?.toString() ?? "0";
    case "intOrString":
      return intOrString(readWireFields(raw));
    case "time":
    case "microTime":
      return time(readWireFields(raw), type.kind === "microTime");
    case "duration":
      return `${Number(numberOf(readWireFields(raw), 1)) / 1e9}s`;
    case "any":
      return JSON.parse(bytesOf(readWireFields(raw), 1)?.toString() || "null") as Json;
    case "float64":
      return raw.length === 8 ? raw.readDoubleLE(0) : 0;
    case "bool":
    case "int32":
    case "int64":
    case "map":
      return null;
  }
}

function numberOf(fields: readonly WireField[], number: number): bigint {
  const found = fields.find((field) => field.number === number)?.value;
  return typeof found === "bigint" ? found : 0n;
}

function intOrString(fields: readonly WireField[]): Json {
  return numberOf(fields, 1) === 1n ? (bytesOf(fields, 3)?.toString() ?? "") : Number(numberOf(fields, 2));
}

function time(fields: readonly WireField[], micro: boolean): Json {
  const milliseconds = Number(numberOf(fields, 1)) * 1000 + Number(numberOf(fields, 2)) / 1e6;
  // The zero time of Go is long before 1970, and means "no time".
  if (fields.length === 0 || milliseconds < 0) return null;
  return micro ? formatMicroTime(milliseconds) : formatTime(milliseconds);
}
