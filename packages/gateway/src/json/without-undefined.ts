import type { Json, JsonObject } from "@kindling/kube-objects";

/** The fields that have a value. */
export function withoutUndefined(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
