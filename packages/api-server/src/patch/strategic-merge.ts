import { type JsonObject, type Json, isObject, jsonEqual } from "@kindling/kube-objects";
import type { Field, StructType, Type } from "../schema/types.ts";
import { StrategicPatchError, mergeKeyedList, mergeScalarList, orderKeyed, orderScalars } from "./strategic-lists.ts";

const DIRECTIVE = "$patch";
const RETAIN_KEYS = "$retainKeys";
const DELETE_FROM_LIST = "$deleteFromPrimitiveList/";
const SET_ORDER = "$setElementOrder/";

/**
 * Applies a strategic merge patch (apimachinery, `strategicpatch`): a merge patch that knows which lists are keyed,
 * with its directives `$patch`, `$retainKeys`, `$deleteFromPrimitiveList/…` and `$setElementOrder/…`.
 *
 * @throws StrategicPatchError for invalid directives, or for list items without their key.
 */
export function applyStrategicPatch(type: StructType, document: JsonObject, patch: JsonObject): JsonObject {
  return mergeObject(type, document, patch);
}

function mergeObject(type: Type | undefined, original: JsonObject, patch: JsonObject): JsonObject {
  const directive = patch[DIRECTIVE];
  if (directive === "replace") return omit(patch, DIRECTIVE);
  if (directive === "delete") return {};
  if (directive !== undefined && directive !== "merge") {
    throw new StrategicPatchError(
      `Unknown patch type found: ${typeof directive === "string" ? directive : JSON.stringify(directive)}`,
    );
  }
  const struct = type?.kind === "struct" ? type : undefined;
  let result: JsonObject = { ...original };
  const retain = patch[RETAIN_KEYS];
  if (Array.isArray(retain))
    result = Object.fromEntries(Object.entries(result).filter(([key]) => retain.includes(key)));
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined || key === DIRECTIVE || key === RETAIN_KEYS || key.startsWith(SET_ORDER)) continue;
    if (key.startsWith(DELETE_FROM_LIST)) removeFromList(result, key.slice(DELETE_FROM_LIST.length), value);
    else if (value === null) delete result[key];
    else result[key] = mergeValue(struct?.byName.get(key), valueType(type, key), result[key], value);
  }
  for (const [key, order] of Object.entries(patch)) {
    if (key.startsWith(SET_ORDER))
      setOrder(result, original, patch, key.slice(SET_ORDER.length), order ?? null, struct);
  }
  return result;
}

function valueType(type: Type | undefined, key: string): Type | undefined {
  if (type?.kind === "map") return type.values;
  return type?.kind === "struct" ? type.byName.get(key)?.type : undefined;
}

function mergeValue(field: Field | undefined, type: Type | undefined, original: Json | undefined, patch: Json): Json {
  if (isObject(patch)) {
    // New values are merged, too (into an empty one), so that directives inside them do not become data.
    return mergeObject(type, isObject(original) ? original : {}, patch);
  }
  if (!Array.isArray(patch)) return patch;
  if (field?.mergeKey === undefined || type?.kind !== "list") return patch;
  const current = Array.isArray(original) ? original : [];
  if (field.mergeKey === "") return mergeScalarList(current, patch);
  return mergeKeyedList(field.mergeKey, current, patch, (item, change) => mergeObject(type.items, item, change));
}

function removeFromList(result: JsonObject, key: string, values: Json): void {
  const current = result[key];
  if (!Array.isArray(current) || !Array.isArray(values)) return;
  result[key] = current.filter((item) => !values.some((value) => jsonEqual(item, value)));
}

function setOrder(
  result: JsonObject,
  original: JsonObject,
  patch: JsonObject,
  key: string,
  order: Json,
  struct: StructType | undefined,
): void {
  const merged = result[key];
  if (!Array.isArray(order)) {
    throw new StrategicPatchError(`$setElementOrder/${key} must be a list`);
  }
  if (!Array.isArray(merged)) return;
  const before = original[key];
  const live = Array.isArray(before) ? before : [];
  const mergeKey = struct?.byName.get(key)?.mergeKey;
  if (mergeKey === undefined || mergeKey === "") result[key] = orderScalars(merged, live, order);
  else result[key] = orderKeyed(mergeKey, merged, live, order, patch[key]);
}

function omit(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
