// Shorter pieces of a secret tell nothing, and are parts of ordinary words.
const PIECE = 16;

/** What stands in the place of a secret. */
const HIDDEN = "***";

/** Takes what must not be shown out of a text. */
export type Hide = (text: string) => string;

export const hideNothing: Hide = (text) => text;

/**
 * Takes a secret out of the texts of somebody who may know it, such as a server that shows the request in its refusal.
 * Parts of the secret of 16 characters or more are taken out too: the text may have been cut.
 *
 * @param authorization the value of an `Authorization` field, with or without its scheme
 */
export function hiding(authorization: string): Hide {
  const secret = secretOf(authorization);
  if (secret === "") return hideNothing;
  const pieces = new Set<string>();
  for (let at = 0; at + PIECE <= secret.length; at++) pieces.add(secret.slice(at, at + PIECE));
  return (text) => withoutPieces(text.replaceAll(secret, HIDDEN), pieces);
}

/** The same for values that are used and not only shown: a name that is a part of the secret stays. */
export function hidingWhole(authorization: string): Hide {
  const secret = secretOf(authorization);
  return secret === "" ? hideNothing : (text) => text.replaceAll(secret, HIDDEN);
}

function secretOf(authorization: string): string {
  return authorization.replace(/^[A-Za-z]+ +/, "");
}

function withoutPieces(text: string, pieces: ReadonlySet<string>): string {
  let result = "";
  let kept = 0;
  for (let at = 0; at + PIECE <= text.length; at++) {
    if (!pieces.has(text.slice(at, at + PIECE))) continue;
    let end = at + PIECE;
    while (pieces.has(text.slice(end - PIECE + 1, end + 1))) end++;
    result += text.slice(kept, at) + HIDDEN;
    kept = end;
    at = end - 1;
  }
  return result + text.slice(kept);
}
