// Shorter pieces of a secret reveal nothing, and may be parts of ordinary words.
const PIECE = 16;

/** The text that replaces a secret. */
const HIDDEN = "***";

/** Removes secrets from a text. */
export type Hide = (text: string) => string;

export const hideNothing: Hide = (text) => text;

/**
 * Removes secrets from texts of a peer that may know them: a server, or a proxy before it, may show the request in its
 * refusal. Pieces of a secret of 16 characters or more are removed too, because the text may have been cut.
 */
export function hiding(...secrets: readonly string[]): Hide {
  const hides = secrets.filter((secret) => secret !== "").map(hidingOne);
  return (text) => hides.reduce((shown, hide) => hide(shown), text);
}

/** The same for values that are used and not only shown: a name that is only a part of a secret stays. */
export function hidingWhole(secret: string): Hide {
  return secret === "" ? hideNothing : (text) => text.replaceAll(secret, HIDDEN);
}

/**
 * The secrets in the value of an `Authorization` field: the token; for Basic authentication (RFC 7617) also the password,
 * as it is and as JSON would write it.
 *
 * @param authorization with or without its scheme
 */
export function secretsIn(authorization: string): readonly string[] {
  const [, scheme = "", value = authorization] = /^([A-Za-z]+) +(.*)$/s.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== "basic") return [value];
  const login = Buffer.from(value, "base64").toString("utf8");
  const password = login.slice(login.indexOf(":") + 1);
  return [value, password, JSON.stringify(password).slice(1, -1)];
}

function hidingOne(secret: string): Hide {
  const pieces = new Set<string>();
  for (let at = 0; at + PIECE <= secret.length; at++) pieces.add(secret.slice(at, at + PIECE));
  return (text) => withoutPieces(text.replaceAll(secret, HIDDEN), pieces);
}

function withoutPieces(text: string, pieces: ReadonlySet<string>): string {
  if (pieces.size === 0) return text;
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
