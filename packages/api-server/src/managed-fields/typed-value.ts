import { type JsonObject, type Json, isObject } from "@kindling/kube-objects";
import type { ListType, MapType, StructType, Type } from "../schema/types.ts";

/**
 * How server-side apply sees a value: as a leaf, as a map whose entries have owners, or as a list whose items have owners.
 * Values without a schema are seen by their form: objects are maps, lists are leaves.
 */
export type Shape =
  | { readonly kind: "leaf" }
  | { readonly kind: "map"; readonly type: StructType | MapType | undefined }
  | { readonly kind: "list"; readonly type: ListType };

const LEAF: Shape = { kind: "leaf" };
const FREE_MAP: Shape = { kind: "map", type: undefined };

/** The shape of a value of a type. If there are two values and one is undefined, pass the other. */
export function shapeOf(type: Type | undefined, value: Json | undefined): Shape {
  if (type === undefined || type.kind === "any" || type.kind === "union") return isObject(value) ? FREE_MAP : LEAF;
  if (type.kind === "struct" || type.kind === "map") return type.atomic ? LEAF : { kind: "map", type };
  if (type.kind === "list") return type.merge === "atomic" ? LEAF : { kind: "list", type };
  return LEAF;
}

/** The type of a map's entry. */
export function entryType(type: StructType | MapType | undefined, key: string): Type | undefined {
  if (type === undefined) return undefined;
  return type.kind === "map" ? type.values : type.byName.get(key)?.type;
}

/** Whether a key is a field that the type names, and not the key of a free map. */
export function isNamedField(type: StructType | MapType | undefined, key: string): boolean {
  return type?.kind === "struct" && type.byName.has(key);
}

/** The path element of a list's item. */
export function itemElement(type: ListType, item: Json): string {
  if (type.merge === "set") return `v:${JSON.stringify(item)}`;
  const key: JsonObject = {};
  for (const name of [...type.keys].sort()) key[name] = itemKey(type, item, name);
  return `k:${JSON.stringify(key)}`;
}

function itemKey(type: ListType, item: Json, name: string): Json {
  const value = isObject(item) ? item[name] : undefined;
  if (value !== undefined) return value;
  // The protocol of a port is part of its key even if it is not written; the same holds for empty values.
  const field = type.items.kind === "struct" ? type.items.byName.get(name) : undefined;
  if (field?.default !== undefined) return field.default;
  return field === undefined || field.pointer || field.type.kind !== "string" ? null : "";
}

/** The path element of a map's entry. */
export function entryElement(key: string): string {
  return `f:${key}`;
}
