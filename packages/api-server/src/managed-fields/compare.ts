import { type JsonObject, type Json, isObject, jsonEqual } from "@kindling/kube-objects";
import type { ListType, MapType, StructType, Type } from "../schema/types.ts";
import { FieldSet } from "./field-set.ts";
import { entryElement, entryType, itemElement, shapeOf } from "./typed-value.ts";

/** How one object differs from another; no path is in more than one of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Compares two objects of a type field by field. Parts that both share are not looked into. */
export function compareObjects(type: StructType | undefined, before: JsonObject, after: JsonObject): Comparison {
  const result = { added: new FieldSet(), modified: new FieldSet(), removed: new FieldSet() };
  compareMaps(type, before, after, [], result);
  return result;
}

function compareValues(
  type: Type | undefined,
  before: Json | undefined,
  after: Json | undefined,
  path: string[],
  result: Comparison,
): void {
  if (before === after) return;
  const shape = shapeOf(type, after ?? before);
  const bothEmpty = isEmptyPart(before) && isEmptyPart(after);
  if (shape.kind === "leaf" || bothEmpty) {
    // Two empty parts are a leaf as well, which keeps "empty" and "absent" apart.
    if (before === undefined) result.added.insert(path);
    else if (after === undefined) result.removed.insert(path);
    else if (!jsonEqual(before, after)) result.modified.insert(path);
    return;
  }
  if (shape.kind === "map") {
    compareMaps(shape.type, isObject(before) ? before : {}, isObject(after) ? after : {}, path, result);
  } else {
    compareLists(shape.type, Array.isArray(before) ? before : [], Array.isArray(after) ? after : [], path, result);
  }
  if (before === undefined) result.added.insert(path);
  else if (after === undefined) result.removed.insert(path);
}

function compareMaps(
  type: StructType | MapType | undefined,
  before: JsonObject,
  after: JsonObject,
  path: string[],
  result: Comparison,
): void {
  for (const key in after) {
    if (after[key] === undefined) continue;
    path.push(entryElement(key));
    compareValues(entryType(type, key), before[key], after[key], path, result);
    path.pop();
  }
  for (const key in before) {
    if (before[key] === undefined || after[key] !== undefined) continue;
    path.push(entryElement(key));
    compareValues(entryType(type, key), before[key], undefined, path, result);
    path.pop();
  }
}

function compareLists(
  type: ListType,
  before: readonly Json[],
  after: readonly Json[],
  path: string[],
  result: Comparison,
): void {
  const old = new Map(before.map((item) => [itemElement(type, item), item]));
  const seen = new Set<string>();
  for (const item of after) {
    const element = itemElement(type, item);
    if (seen.has(element)) continue;
    seen.add(element);
    path.push(element);
    compareValues(type.items, old.get(element), item, path, result);
    path.pop();
  }
  for (const [element, item] of old) {
    if (seen.has(element)) continue;
    path.push(element);
    compareValues(type.items, item, undefined, path, result);
    path.pop();
  }
}

function isEmptyPart(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
