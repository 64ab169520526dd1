/** A value that JSON can represent. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object; a member that is undefined counts as absent. */
export interface JsonObject {
  [key: string]: Json | undefined;
}

/** Whether a value is a JSON object: not an array, not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
