/** Checks that a document has the members of its type: storage that others can write to may contain anything. */
export type Shape<T> = (value: unknown) => value is T;

export const isText: Shape<string> = (value): value is string => typeof value === "string";
export const isNumber: Shape<number> = (value): value is number => Number.isFinite(value);
export const isBoolean: Shape<boolean> = (value): value is boolean => typeof value === "boolean";

export function isOneOf<const T extends string>(...texts: readonly T[]): Shape<T> {
  return (value): value is T => (texts as readonly unknown[]).includes(value);
}

export function isListOf<T>(item: Shape<T>): Shape<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(item);
}

export function isMapOf<T>(item: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> => isObject(value) && Object.values(value).every(item);
}

export function isOptional<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value): value is T | undefined => value === undefined || shape(value);
}

/** An object with at least these members; members that a newer version has added are ignored. */
export function isRecord<T extends object>(members: { readonly [K in keyof T]-?: Shape<T[K]> }): Shape<T> {
  const shapes = Object.entries<Shape<unknown>>(members);
  return (value): value is T => isObject(value) && shapes.every(([name, shape]) => shape(value[name]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
