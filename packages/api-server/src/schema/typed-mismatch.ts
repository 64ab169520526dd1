import { type Json, type JsonObject, isObject } from "../../json.ts";
import type { StructType, Type } from "./types.ts";

/**
 * Where a configuration to be applied first departs from its type, in the words of server-side apply:
 * `.spec.replicaz: field not declared in schema`, `.data.a: expected string, got …`.
 */
export function typedMismatch(type: StructType, object: JsonObject): string | undefined {
  return inStruct(type, object, "");
}

function inStruct(type: StructType, object: JsonObject, path: string): string | undefined {
  for (const [key, value] of Object.entries(object)) {
    const field = type.byName.get(key);
    if (field === undefined && type.open === true) continue;
    if (field === undefined) return `${path}.${key}: field not declared in schema`;
    const found = value === undefined ? undefined : inValue(field.type, value, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inValue(type: Type, value: Json, path: string): string | undefined {
  // Null goes with every type: it stands for nothing.
  if (value === null) return undefined;
  switch (type.kind) {
    case "struct":
      return isObject(value) ? inStruct(type, value, path) : expected("map", value, path);
    case "map":
      if (!isObject(value)) return expected("map", value, path);
      return firstOf(Object.entries(value), ([key, item]) => inValue(type.values, item ?? null, `${path}.${key}`));
    case "list":
      if (!Array.isArray(value)) return expected("list", value, path);
      return firstOf([...value.entries()], ([index, item]) =>
        inValue(type.items, item, `${path}${itemText(type.keys, item, index)}`),
      );
    case "string":
    case "bytes":
    case "duration":
    case "time":
    case "microTime":
      return typeof value === "string" ? undefined : expected("string", value, path);
    case "bool":
      return typeof value === "boolean" ? undefined : expected("boolean", value, path);
    case "int32":
    case "int64":
    case "float64":
      return typeof value === "number" ? undefined : expected("numeric (int or float)", value, path);
    case "quantity":
    case "intOrString":
    case "any":
    case "union":
      return undefined;
  }
}

function firstOf<T>(items: readonly T[], look: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function expected(what: string, value: Json, path: string): string {
  return `${path}: expected ${what}, got &value.valueUnstructured{Value:${JSON.stringify(value)}}`;
}

function itemText(keys: readonly string[], item: Json, index: number): string {
  if (keys.length === 0 || !isObject(item)) return `[${index}]`;
  const sorted = [...keys].sort().map((key) => `${key}=${JSON.stringify(item[key] ?? null)}`);
  return `[${sorted.join(",")}]`;
}
