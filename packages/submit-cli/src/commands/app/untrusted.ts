import { harmlessText } from "@kindling/core-spec";

// What spark-submit printed before it failed may be in it.
const LONGEST_TEXT = 4096;

/** The members that a type has; whether their values are as it says, nobody has looked yet. */
export type Unread<T> = { readonly [K in keyof T]?: unknown };

/** The members of an object that the cluster holds; of what is no object, none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** A text that the cluster holds, as it may be shown; what is no text, or an empty one, is nothing. */
export function textOf(value: unknown): string | undefined {
  return (typeof value === "string" && harmlessText(value, LONGEST_TEXT)) || undefined;
}

/** How often something happened; what is no number is 0. */
export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : 0;
}

/** The texts of a list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((item) => textOf(item) ?? []) : [];
}
