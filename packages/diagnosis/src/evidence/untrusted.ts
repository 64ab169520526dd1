import { harmlessText } from "@kindling/core-spec";

/** A text that the cluster holds, as it may be shown; what is no text, or an empty one, is nothing. */
export function text(value: unknown, mostBytes?: number): string | undefined {
  return (typeof value === "string" && harmlessText(value, mostBytes)) || undefined;
}

/** The objects of a list that the cluster holds. */
export function listOf<T extends object>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? value.filter((item: T | null) => typeof item === "object" && item !== null) : [];
}
