import type { Difference } from "./difference.ts";

/**
 * The kind of a difference: its text without the parts that are different in every case, so that each kind is reported once.
 */
export function kindOf({ aspect, text }: Difference): string {
  const general = text
    .replace(/^(\w+)\/[^.:]+/, "$1")
    .replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`/g, "…")
    .replaceAll(/\{work\}[^\s:]*|\S*\/(?:real|ours)\/work[^\s:]*/g, "FILE")
    .replaceAll(/\d+/g, "N");
  return `${aspect}: ${general.slice(0, 110)}`;
}
