import { digestOf } from "@kindling/staging-client";

/*
 * A document on a disk is a line with the SHA-256 of the rest, and the rest: its JSON text. Documents of older versions
 * are the JSON text alone. No JSON text begins like the line.
 */

const HEAD = /^(sha256:[0-9a-f]{64})\n/;

/** What stands in the file of a document. */
export function sealedText(json: string): string {
  return `${digestOf(json)}\n${json}`;
}

/** The JSON text of a document; `undefined` if the file does not hold what was written into it. */
export function unsealedText(text: string): string | undefined {
  const [head, digest] = HEAD.exec(text) ?? [];
  if (head === undefined) return isJson(text) ? text : undefined;
  const json = text.slice(head.length);
  return digestOf(json) === digest ? json : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
