/** spark-submit's name for an application that is no file: its code is already on the class path. */
export const NO_RESOURCE = "spark-internal";

/** The scheme of a URI in lower case; `undefined` for a plain path. */
export function schemeOf(uri: string): string | undefined {
  return /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(uri)?.[1]?.toLowerCase();
}

/** Whether a URI names a file of the machine that submits (KubernetesUtils.isLocalAndResolvable). */
export function isSubmitterLocal(uri: string): boolean {
  if (uri === NO_RESOURCE) return false;
  const scheme = schemeOf(uri);
  return scheme === undefined || scheme === "file";
}

/** Splits `location#fragment`. */
export function splitFragment(uri: string): { readonly location: string; readonly fragment: string | undefined } {
  const hash = uri.indexOf("#");
  return hash < 0
    ? { location: uri, fragment: undefined }
    : { location: uri.slice(0, hash), fragment: uri.slice(hash + 1) };
}

/** The last element of a URI's path. */
export function baseName(uri: string): string {
  return uri.split("/").findLast((element) => element !== "") ?? "";
}

/** Makes a text a path even if it looks like a URI, as Java's `new File(text)` does. */
export function plainPath(text: string): string {
  return schemeOf(text) === undefined ? text : `./${text}`;
}

/** java.net.URI accepts letters, digits, some punctuation, escapes, and anything printable beyond ASCII. */
const URI_TEXT = /^(?:[A-Za-z0-9_\-!.~'()*,;:$&+=?/[\]@#]|%[0-9A-Fa-f]{2}|[^\u0000-\u00A0\u2028\u2029])*/;

/** Whether a text may be a URI: at most one `#`, and some text after a scheme (`local:`) and after two slashes (`local://`). */
export function isUriText(text: string): boolean {
  return (
    text !== "" &&
    noUriCharacter(text) === undefined &&
    !/#.*#/s.test(text) &&
    !/^(?:[a-zA-Z][a-zA-Z0-9+.-]*:(?:#|$)|(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?\/\/$)/.test(text)
  );
}

/**
 * The first character of a text that is not allowed there in a URI: for example a `%` without an escape, or a bracket that is
 * not around an IPv6 address, in a query, or in a fragment.
 */
export function noUriCharacter(text: string): string | undefined {
  const [uri = ""] = URI_TEXT.exec(text) ?? [];
  return Array.from(text.slice(uri.length))[0] ?? misplacedBracket(text);
}

function misplacedBracket(text: string): string | undefined {
  const [hierarchy = "", authority = "", path = ""] = /^(?:\/\/([^/?#]*))?([^?#]*)/.exec(withoutScheme(text)) ?? [];
  // A URI with a scheme and without a slash after it has no path, and any URI characters are allowed.
  if (schemeOf(text) !== undefined && !hierarchy.startsWith("/")) return undefined;
  return /[[\]]/.exec(hasServer(authority) ? path : authority + path)?.[0];
}

function withoutScheme(text: string): string {
  const scheme = schemeOf(text);
  return scheme === undefined ? text : text.slice(scheme.length + 1);
}

/** Whether the brackets of an authority, if there are any, are around an IPv6 address (RFC 3986, 3.2.2). */
function hasServer(authority: string): boolean {
  const [, address = ""] = /^(?:[^@[\]]*@)?\[([^[\]]+)\](?::\d*)?$/.exec(authority) ?? [];
  return !/[[\]]/.test(authority) || URL.canParse(`http://[${address}]/`);
}

/**
 * The path that a text has as a URI: without query and fragment, and with its escapes resolved (`new URI(text).getPath`).
 * A text that is no URI is a path, and one with another scheme than `file` and `local` stays as it is.
 */
export function uriPath(text: string): string {
  const scheme = schemeOf(text);
  if (!isUriText(text) || (scheme !== undefined && scheme !== "file" && scheme !== "local")) return text;
  const [location = ""] = text.split(/[?#]/, 1);
  return decodeEscapes(scheme === undefined ? location : withoutScheme(location).replace(/^\/\/[^/]*/, ""));
}

/** Decodes `%20` and the like. Escapes that are no UTF-8 stay, and no file has such a name. */
export function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
