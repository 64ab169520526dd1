import { harmlessText } from "@kindling/core-spec";

/** A text from the cluster, in a form that may be shown; `undefined` if it is empty or no text. */
export function text(value: unknown, mostBytes?: number): string | undefined {
  return (typeof value === "string" && harmlessText(value, mostBytes)) || undefined;
}

/** The objects of a list from the cluster. */
export function listOf<T extends object>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? value.filter((item: T | null) => typeof item === "object" && item !== null) : [];
}
