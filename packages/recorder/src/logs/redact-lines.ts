import { REDACTED } from "@kindling/core-spec";
import { replaceSecretSettings } from "@kindling/submit";
import type { RunSecrets } from "../secrets/run-secrets.ts";
import { SUSPICIOUS } from "../secrets/suspicious.ts";

/** Replaces what looks like a secret in the lines of one log, which it must get in their order. */
export type RedactLine = (line: string) => string;

const KEY_BEGIN = /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----/;
const KEY_END = /-----END [A-Z ]{0,32}PRIVATE KEY-----/;
/** No private key is longer. */
const MOST_KEY_LINES = 400;
/** Patterns take time in proportion to the length of a line; a longer line is searched in pieces. */
const LONGEST_PIECE = 64 * 1024;

/** @param secrets of the run */
export function redactLines(secrets: Pick<RunSecrets, "withoutKnown">): RedactLine {
  let keyLines = 0;
  return (line) => {
    if (keyLines > 0) {
      keyLines = KEY_END.test(line) ? 0 : keyLines - 1;
      return REDACTED;
    }
    if (KEY_BEGIN.test(line) && !KEY_END.test(line)) keyLines = MOST_KEY_LINES;
    const shown = secrets.withoutKnown(line);
    return SUSPICIOUS.test(shown) ? inPieces(shown) : shown;
  };
}

function inPieces(line: string): string {
  if (line.length <= LONGEST_PIECE) return withoutSecrets(line);
  const pieces: string[] = [];
  for (let start = 0; start < line.length; start += LONGEST_PIECE)
    pieces.push(withoutSecrets(line.slice(start, start + LONGEST_PIECE)));
  return pieces.join("");
}

function withoutSecrets(text: string): string {
  return replaceSecretSettings(text, () => REDACTED);
}
