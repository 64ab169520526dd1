import { isObject, type JsonObject } from "@kindling/kube-objects";

/** Drivers may send JSON of any shape. These functions return something empty if the shape is not the expected one. */
export function objectAt(value: unknown, ...path: readonly string[]): JsonObject {
  const found = valueAt(value, path);
  return isObject(found) ? found : {};
}

/** The members of a list that are objects. */
export function objectsAt(value: unknown, ...path: readonly string[]): JsonObject[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

/** The members of a list that are strings. */
export function textsAt(value: unknown, ...path: readonly string[]): string[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found.filter((item) => typeof item === "string") : [];
}

/** A string that is not empty. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** The members that are strings or numbers: quantities may be written as either. */
export function textsOf(object: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
    ),
  );
}

/** The object that a text contains as JSON; `undefined` if there is no text, or if it contains anything else. */
export function jsonObjectIn(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  return found;
}
