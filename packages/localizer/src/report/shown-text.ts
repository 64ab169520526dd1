import { harmlessText } from "@kindling/core-spec";
import type { Redactor } from "@kindling/core-spec";

// A path alone may have 4096 bytes; what others say is quoted with 1024 at most.
const MOST_LINE_BYTES = 8192;

/** A text as it may be shown: without secrets, then without what a terminal obeys, then cut. In another order, parts of
 * a secret that was cut would not be known any more. */
export function shownText(text: string, redactor: Redactor, mostBytes: number = MOST_LINE_BYTES): string {
  return harmlessText(redactor.clean(text), mostBytes);
}
