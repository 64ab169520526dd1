/**
 * A text without the secrets in its URIs: the user and password before a host, and the query of an http URI, which is often a
 * signature. `abfss://container@account` has no user, so a user without a password is removed from http URIs only.
 *
 * @param mark replaces what is removed
 */
export function withoutUriSecrets(text: string, mark: string): string {
  if (!text.includes("://")) return text;
  const [before = "", ...behind] = text.split("://");
  const clean = [before];
  let previous = before;
  let isInQuery = false;
  for (const piece of behind) {
    // A URI ends at a blank or a quote; the piece also contains the text after it.
    const [uri = ""] = /^[^\s"'<>]*/.exec(piece) ?? [];
    const isWhole = uri.length < piece.length;
    if (!isInQuery) {
      // In properties text the colon is escaped.
      const isHttp = /https?\\?$/i.test(previous.slice(-6));
      const shown = withoutLogin(uri, isHttp, mark);
      isInQuery = isHttp && shown.includes("?");
      clean.push("://", isInQuery ? shown.replace(/\?.+$/s, `?${mark}`) : shown);
    }
    clean.push(piece.slice(uri.length));
    isInQuery &&= !isWhole;
    previous = piece;
  }
  return clean.join("");
}

function withoutLogin(uri: string, isHttp: boolean, mark: string): string {
  const authority = /^[^/?#]*/.exec(uri)?.[0] ?? "";
  // A password with a slash in it: after the colon of a host there would be a number.
  const isCut = !authority.includes("@") && /^[^[\]]*:[^:]*[^\d:]/.test(authority);
  const end = (isCut ? uri : authority).lastIndexOf("@");
  const isLogin = end >= 0 && (isHttp || uri.slice(0, end).includes(":"));
  return isLogin ? `${mark}@${uri.slice(end + 1)}` : uri;
}
