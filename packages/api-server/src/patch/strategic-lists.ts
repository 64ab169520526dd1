import { type JsonObject, type Json, isObject, jsonEqual } from "@kindling/kube-objects";

/** Why a strategic merge patch does not apply. */
export class StrategicPatchError extends Error {}

/** Adds missing values to a list of scalars. */
export function mergeScalarList(original: readonly Json[], patch: readonly Json[]): Json[] {
  const result = [...original];
  for (const value of patch) if (!result.some((item) => jsonEqual(item, value))) result.push(value);
  return orderScalars(result, original, patch);
}

/** Merges a list of objects by their key: the patch's items in its order, without deleted ones. */
export function mergeKeyedList(
  mergeKey: string,
  original: readonly Json[],
  patch: readonly Json[],
  mergeItem: (original: JsonObject, patch: JsonObject) => JsonObject,
): Json[] {
  const entries = patch.filter(isObject);
  if (entries.some((entry) => entry["$patch"] === "replace")) return entries.filter((entry) => !("$patch" in entry));
  const result = original.filter(isObject);
  for (const entry of entries) {
    const key = keyOf(mergeKey, entry);
    const index = result.findIndex((item) => jsonEqual(item[mergeKey], key));
    if (entry["$patch"] === "delete") {
      if (index >= 0) result.splice(index, 1);
    } else if (index >= 0) {
      result[index] = mergeItem(result[index] ?? {}, entry);
    } else {
      result.push(mergeItem({}, entry));
    }
  }
  return orderKeyed(mergeKey, result, original, patch, undefined);
}

/** Puts a merged list of objects into the order that the patch asks for. */
export function orderKeyed(
  mergeKey: string,
  merged: readonly Json[],
  live: readonly Json[],
  order: readonly Json[],
  patched: Json | undefined,
): Json[] {
  const keys = (list: readonly Json[]): Json[] => list.filter(isObject).map((item) => item[mergeKey] ?? null);
  const wanted = keys(order);
  for (const key of keys(Array.isArray(patched) ? patched : [])) {
    const deleted = !keys(merged).some((other) => jsonEqual(other, key));
    if (!deleted && !wanted.some((other) => jsonEqual(other, key))) {
      throw new StrategicPatchError("The order in patch list doesn't match $setElementOrder list");
    }
  }
  return inOrder(merged, wanted, keys(live), (item) => (isObject(item) ? (item[mergeKey] ?? null) : item));
}

/** Puts a merged list of scalars into the order that the patch asks for. */
export function orderScalars(merged: readonly Json[], live: readonly Json[], order: readonly Json[]): Json[] {
  return inOrder(merged, order, live, (item) => item);
}

/**
 * Items of the patch come in its order. Each item that only the server has goes before the first patch item that followed it
 * on the server, but never before another server item that it followed.
 */
function inOrder(
  merged: readonly Json[],
  wanted: readonly Json[],
  live: readonly Json[],
  keyOfItem: (item: Json) => Json,
): Json[] {
  const place = (list: readonly Json[], item: Json): number => {
    const key = keyOfItem(item);
    return list.findIndex((other) => jsonEqual(other, key));
  };
  const ordered = merged.filter((item) => place(wanted, item) >= 0).sort((a, b) => place(wanted, a) - place(wanted, b));
  const serverOnly = merged.filter((item) => place(wanted, item) < 0);
  const result = [...ordered];
  let from = 0;
  for (const item of serverOnly) {
    const its = place(live, item);
    let at = from;
    while (at < result.length && place(live, result[at] ?? null) <= its) at += 1;
    result.splice(at, 0, item);
    from = at + 1;
  }
  return result;
}

function keyOf(mergeKey: string, entry: JsonObject): Json {
  const key = entry[mergeKey];
  if (key !== undefined) return key;
  throw new StrategicPatchError(`map: ${JSON.stringify(entry)} does not contain declared merge key: ${mergeKey}`);
}
