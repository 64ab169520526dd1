import { harmlessText } from "@kindling/core-spec";

// Together these are at most the quoted length of any answer.
const MOST_MESSAGE_BYTES = 896;
const MOST_CODE_BYTES = 128;

/** Removes secrets from a text. */
export type Redact = (text: string) => string;

export interface Refusal {
  /** The store's own words. */
  readonly message: string | undefined;
  /** The store's own code. */
  readonly code: string | undefined;
  readonly status: number;
}

/** A store's text about a refusal, as errors quote it: `message (code, HTTP 403)`. */
export function refusalWords({ message, code, status }: Refusal, redact: Redact = (text) => text): string {
  // Secrets are removed first, because a cut or escaped secret would not be recognized any more.
  const quoted = (text: string, mostBytes: number): string => harmlessText(redact(text), mostBytes);
  if (code === undefined) return `HTTP status ${status}`;
  return `${quoted(message ?? "", MOST_MESSAGE_BYTES)} (${quoted(code, MOST_CODE_BYTES)}, HTTP ${status})`.trim();
}
