import { harmlessText } from "@kindling/core-spec";

// It may contain what spark-submit printed before it failed.
const LONGEST_TEXT = 4096;

/** The members of a type; their values are not checked yet. */
export type Unread<T> = { readonly [K in keyof T]?: unknown };

/** The members of an object from the cluster; empty if it is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** A text from the cluster, in a form that may be shown; `undefined` if it is empty or no text. */
export function textOf(value: unknown): string | undefined {
  return (typeof value === "string" && harmlessText(value, LONGEST_TEXT)) || undefined;
}

/** How often something happened; 0 if the value is no number. */
export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : 0;
}

/** The texts of a list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((item) => textOf(item) ?? []) : [];
}
