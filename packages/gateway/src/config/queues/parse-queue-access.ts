import { readNamespaceRule, type NamespaceRule, type PriorityRange } from "@kindling/core-spec";

/** The result of reading a field of a queue: its value, or a sentence that says what is wrong with it. */
export type Read<T> = { readonly value: T } | { readonly fault: string };

/** `namespaces: [etl, team-*]`, or `namespaces: { matchLabels: { team: etl } }`. */
export function readNamespaces(value: unknown): Read<NamespaceRule> {
  const rule = readNamespaceRule(value);
  return typeof rule === "string" ? { fault: rule } : { value: rule };
}

const BOUNDS = ["min", "max", "default"] as const;

/** `priority: { min: 0, max: 10, default: 5 }`; without `min` or `max` there is no such bound. */
export function readPriority(value: unknown): Read<PriorityRange> {
  const entries = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const isRight = ([name, bound]: readonly [string, unknown]): boolean =>
    BOUNDS.some((known) => known === name) && Number.isInteger(bound) && Math.abs(Number(bound)) < 1e9;
  if (entries.length === 0 || !entries.every(isRight))
    return { fault: "priority has min, max and default, each a whole number of at most nine digits" };
  return { value: Object.fromEntries(entries) };
}
