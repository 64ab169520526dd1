import { harmlessText } from "@kindling/core-spec";
import type { Redactor } from "@kindling/core-spec";

// A path alone may have 4096 bytes; texts of servers are quoted with 1024 bytes at most.
const MOST_LINE_BYTES = 8192;

/**
 * A text in the form in which it may be shown. First secrets are removed, then characters that a terminal acts on, and then
 * the text is cut. In another order, a part of a secret could stay, because a cut secret is not recognized.
 */
export function shownText(text: string, redactor: Redactor, mostBytes: number = MOST_LINE_BYTES): string {
  return harmlessText(redactor.clean(text), mostBytes);
}
