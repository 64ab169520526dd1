import { type JsonObject, type Json, isObject } from "@kindling/kube-objects";

/** Applies a JSON merge patch (RFC 7386) and returns the new document; the given one stays as it was. */
export function applyMergePatch(document: JsonObject, patch: JsonObject): JsonObject {
  const result: JsonObject = { ...document };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete result[key];
    else result[key] = mergeInto(result[key], value);
  }
  return result;
}

function mergeInto(current: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  return applyMergePatch(isObject(current) ? current : {}, patch);
}
