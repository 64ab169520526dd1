import { type Json, type JsonObject, isObject, jsonEqual } from "@kindling/kube-objects";
import type { ListType, MapType, StructType, Type } from "../schema/types.ts";
import { entryElement, entryType, itemElement, shapeOf } from "./typed-value.ts";
import { UNOWNED, UNOWNED_METADATA } from "./unowned-fields.ts";

const NOT_IN_ROOT = new Set(UNOWNED);
const NOT_IN_METADATA = new Set(UNOWNED_METADATA);

/**
 * The FieldsV1 text of the fields that an object sets and an empty one does not: its creator owns these. The result is the
 * same as that of comparing the two and writing out the set, but in one pass, because every create needs it.
 */
export function createdFieldsText(
  type: StructType | undefined,
  empty: JsonObject,
  object: JsonObject,
  isIgnored: (field: string) => boolean,
): string {
  const parts: string[] = [];
  for (const key of Object.keys(object).sort()) {
    if (NOT_IN_ROOT.has(key) || isIgnored(key)) continue;
    const fieldType = type?.byName.get(key)?.type;
    const after = object[key];
    const text =
      key === "metadata" && isObject(after)
        ? metadataText(fieldType, empty[key], after)
        : valueText(fieldType, empty[key], after);
    if (text !== undefined) parts.push(`${JSON.stringify(entryElement(key))}:${text}`);
  }
  return `{${parts.join(",")}}`;
}

function metadataText(type: Type | undefined, before: Json | undefined, metadata: JsonObject): string | undefined {
  const owned = Object.fromEntries(Object.entries(metadata).filter(([key]) => !NOT_IN_METADATA.has(key)));
  return Object.keys(owned).length === 0 ? undefined : valueText(type, before, owned);
}

/** The owned fields of a value, as FieldsV1; undefined if there are none. */
function valueText(type: Type | undefined, before: Json | undefined, after: Json | undefined): string | undefined {
  if (after === undefined || before === after) return undefined;
  const shape = shapeOf(type, after);
  if (shape.kind === "leaf" || (isEmpty(before) && isEmpty(after))) return jsonEqual(before, after) ? undefined : "{}";
  const inner =
    shape.kind === "map"
      ? entriesText(shape.type, isObject(before) ? before : {}, isObject(after) ? after : {})
      : itemsText(shape.type, Array.isArray(before) ? before : [], Array.isArray(after) ? after : []);
  if (before === undefined) return inner === "" ? "{}" : `{".":{},${inner}}`;
  return inner === "" ? undefined : `{${inner}}`;
}

function entriesText(type: StructType | MapType | undefined, before: JsonObject, after: JsonObject): string {
  const parts: string[] = [];
  for (const key of Object.keys(after).sort()) {
    const text = valueText(entryType(type, key), before[key], after[key]);
    if (text !== undefined) parts.push(`${JSON.stringify(entryElement(key))}:${text}`);
  }
  return parts.join(",");
}

function itemsText(type: ListType, before: readonly Json[], after: readonly Json[]): string {
  const old = new Map(before.map((item) => [itemElement(type, item), item]));
  const parts = new Map<string, string>();
  for (const item of after) {
    const element = itemElement(type, item);
    const text = parts.has(element) ? undefined : valueText(type.items, old.get(element), item);
    if (text !== undefined) parts.set(element, text);
  }
  return [...parts.keys()]
    .sort()
    .map((element) => `${JSON.stringify(element)}:${parts.get(element) ?? "{}"}`)
    .join(",");
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
