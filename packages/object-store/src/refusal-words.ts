import { harmlessText } from "@kindling/core-spec";

// Together no more than what is quoted of any answer.
const MOST_MESSAGE_BYTES = 896;
const MOST_CODE_BYTES = 128;

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

export interface Refusal {
  /** The store's own words. */
  readonly message: string | undefined;
  /** The store's own code. */
  readonly code: string | undefined;
  readonly status: number;
}

/** What a store says about a refusal, as errors quote it: `message (code, HTTP 403)`. */
export function refusalWords({ message, code, status }: Refusal, redact: Redact = (text) => text): string {
  // Secrets first: one that is cut, or in which something is escaped, would not be known any more.
  const quoted = (text: string, mostBytes: number): string => harmlessText(redact(text), mostBytes);
  if (code === undefined) return `HTTP status ${status}`;
  return `${quoted(message ?? "", MOST_MESSAGE_BYTES)} (${quoted(code, MOST_CODE_BYTES)}, HTTP ${status})`.trim();
}
