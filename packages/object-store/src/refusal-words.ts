import { quotedAnswer, type HttpTransport } from "@kindling/staging-client";

// Together no more than what is quoted of any answer.
const MOST_MESSAGE_BYTES = 896;
const MOST_CODE_BYTES = 128;

/** What a store says about a refusal, as errors quote it: `message (code)`. */
export function refusalWords(message: string, code: string, transport: HttpTransport): string {
  const shown = quotedAnswer(message, transport, MOST_MESSAGE_BYTES);
  return `${shown} (${quotedAnswer(code, transport, MOST_CODE_BYTES)})`.trim();
}
