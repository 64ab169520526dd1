import { type JsonObject, type Json, isObject } from "@kindling/kube-objects";
import type { StructType, Type } from "../schema/types.ts";
import { FieldSet } from "./field-set.ts";
import { entryElement, entryType, isNamedField, itemElement, shapeOf } from "./typed-value.ts";

/** An object without the fields of a set; a map or list that loses all of its content is left as null. */
export function removeItems(type: StructType | undefined, object: JsonObject, remove: FieldSet): JsonObject {
  const result = without(type, object, remove);
  return isObject(result) ? result : {};
}

function without(type: Type | undefined, value: Json, remove: FieldSet): Json {
  const shape = shapeOf(type, value);
  if (shape.kind === "list" && Array.isArray(value)) {
    const items = value.flatMap((item) => {
      const element = itemElement(shape.type, item);
      if (remove.members.has(element)) return [];
      const below = remove.children.get(element);
      return [below === undefined ? item : without(shape.type.items, item, below)];
    });
    return items.length === 0 ? null : items;
  }
  if (shape.kind === "map" && isObject(value)) {
    const entries = Object.entries(value).flatMap(([key, entry]): [string, Json][] => {
      const element = entryElement(key);
      if (entry === undefined || remove.members.has(element)) return [];
      const below = remove.children.get(element);
      return [[key, below === undefined ? entry : without(entryType(shape.type, key), entry, below)]];
    });
    return entries.length === 0 ? null : Object.fromEntries(entries);
  }
  // A part of a leaf is not a leaf.
  return Array.isArray(value) || isObject(value) ? null : value;
}

/** The set, with the named fields above each path: who owns `a.b.c` owns the struct `a`, too. */
export function withNamedFields(type: Type | undefined, set: FieldSet): FieldSet {
  const members = new Set(set.members);
  const children: [string, FieldSet][] = [];
  for (const [element, child] of set.children) {
    const key = element.slice(2);
    if (element.startsWith("f:") && type?.kind === "struct" && isNamedField(type, key)) members.add(element);
    children.push([element, withNamedFields(typeBelow(type, element), child)]);
  }
  return new FieldSet(members, children);
}

function typeBelow(type: Type | undefined, element: string): Type | undefined {
  if (type?.kind === "struct" || type?.kind === "map") return entryType(type, element.slice(2));
  return type?.kind === "list" ? type.items : undefined;
}
