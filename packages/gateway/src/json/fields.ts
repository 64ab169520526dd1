import { isObject, type JsonObject } from "@kindling/kube-objects";

/** What drivers send may have any shape: these look into JSON and find nothing where the shape is another. */
export function objectAt(value: unknown, ...path: readonly string[]): JsonObject {
  const found = valueAt(value, path);
  return isObject(found) ? found : {};
}

/** The members of a list that are objects. */
export function objectsAt(value: unknown, ...path: readonly string[]): JsonObject[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

/** The members of a list that are texts. */
export function textsAt(value: unknown, ...path: readonly string[]): string[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found.filter((item) => typeof item === "string") : [];
}

/** A text that is not empty. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === "string" && found !== "" ? found : undefined;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  return found;
}
