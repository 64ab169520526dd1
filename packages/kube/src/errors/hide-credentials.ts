import type { Credentials } from "../credentials/credential-source.ts";

// Shorter pieces of a secret tell nothing, and are parts of ordinary words.
const PIECE = 16;
const HIDDEN = "***";
// A refusal has a few kilobytes. What is behind this is left out, so that nobody has to look through it.
const LONGEST_REFUSAL = 1024 * 1024;

/**
 * Takes what proved the caller out of the words of a server, or of something before it, that shows the request in its
 * answer: the token, or the password and what became of it in the header, and pieces of 16 characters or more of each.
 */
export function hideCredentials(text: string, { authorization }: Credentials): string {
  const [, scheme = "", value = ""] = /^(\S+) +(.+)$/.exec(authorization ?? "") ?? [];
  const looked = text.slice(0, LONGEST_REFUSAL);
  if (value === "") return looked;
  const login = scheme === "Basic" ? Buffer.from(value, "base64").toString("utf8") : "";
  const password = login.slice(login.indexOf(":") + 1);
  // As it is, and as it would be written in JSON.
  const secrets = [value, password, JSON.stringify(password).slice(1, -1)].filter((secret) => secret !== "");
  return secrets.reduce((shown, secret) => withoutPieces(shown.replaceAll(secret, HIDDEN), secret), looked);
}

function withoutPieces(text: string, secret: string): string {
  const pieces = new Set<string>();
  for (let at = 0; at + PIECE <= secret.length; at++) pieces.add(secret.slice(at, at + PIECE));
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
