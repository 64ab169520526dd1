/** A value that JSON can carry. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object; a member that is undefined counts as absent. */
export interface JsonObject {
  [key: string]: Json | undefined;
}

/** Whether a value is a JSON object: not an array, not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Deep equality of JSON values. If two values are the same object, their members are not compared. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => jsonEqual(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  let present = 0;
  for (const key in a) {
    if (a[key] === undefined) continue;
    present += 1;
    if (!jsonEqual(a[key], b[key])) return false;
  }
  for (const key in b) if (b[key] !== undefined) present -= 1;
  return present === 0;
}

/** The members of `T`; those that may be undefined become optional. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * A copy without the members that are undefined. It is for objects that are created in thousands: unlike with spread, objects
 * with the same members share their hidden class.
 */
export function defined<T extends object>(members: T): Defined<T> {
  const result: Record<string, unknown> = {};
  for (const key in members) if (members[key] !== undefined) result[key] = members[key];
  return result as Defined<T>;
}
