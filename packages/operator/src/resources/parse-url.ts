/** The parts of a URL that are used. */
export interface ParsedUrl {
  /** Lower case; empty if the text has none. */
  readonly scheme: string;
  /** With its port. */
  readonly host: string;
  /** Without escapes. */
  readonly path: string;
  /** The URL again, with escapes where they are needed. */
  readonly text: string;
}

/** Why a text is no URL, as Go's net/url says it. */
export interface UrlFault {
  readonly fault: string;
}

/**
 * Reads a URL as Go's net/url does, which splits a text and keeps its parts: a standard URL parser would change hosts and
 * paths. A text without a host is a URL too, such as `host:8080/path` with the scheme `host`. User information is
 * refused.
 */
export function parseUrl(text: string): ParsedUrl | UrlFault {
  const [reference, fragment = ""] = cut(text, "#");
  if (/[\u0000-\u001F\u007F]/.test(reference)) return { fault: "net/url: invalid control character in URL" };
  if (reference.startsWith(":")) return { fault: "missing protocol scheme" };
  const [given = ""] = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(reference) ?? [];
  const [rest, query] = cut(given === "" ? reference : reference.slice(given.length + 1), "?");
  const scheme = given.toLowerCase();
  const end = `${query === undefined ? "" : `?${query}`}${fragment === "" ? "" : `#${fragment}`}`;
  if (!rest.startsWith("/")) {
    if (scheme !== "") return { scheme, host: "", path: "", text: `${scheme}:${rest}${end}` };
    const [segment] = cut(rest, "/");
    if (segment.includes(":")) return { fault: "first path segment in URL cannot contain colon" };
  }
  const hasAuthority = rest.startsWith("//") && (scheme !== "" || !rest.startsWith("///"));
  const pathAt = hasAuthority ? rest.indexOf("/", 2) : 0;
  const authority = hasAuthority ? rest.slice(2, pathAt < 0 ? undefined : pathAt) : "";
  const rawPath = pathAt < 0 ? "" : rest.slice(pathAt);
  const fault = hostFault(authority) ?? escapeFault(rawPath);
  if (fault !== undefined) return { fault };
  const path = unescaped(rawPath);
  const start = scheme === "" ? "" : `${scheme}:`;
  const slashes = hasAuthority && (authority !== "" || path !== "") ? "//" : "";
  const pathText = isEscaped(rawPath) ? rawPath : escaped(path, PATH);
  return { scheme, host: authority, path, text: `${start}${slashes}${escaped(authority, HOST)}${pathText}${end}` };
}

function cut(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Characters that need no escape in a URL. */
const PATH = /[A-Za-z0-9\-_.~$&+,/:;=@]/;
const HOST = /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/;

function hostFault(authority: string): string | undefined {
  if (authority.includes("@")) return "net/url: user information in URL";
  if (authority.startsWith("[") && !authority.includes("]")) return "missing ']' in host";
  const portAt = authority.startsWith("[") ? authority.lastIndexOf("]") + 1 : authority.indexOf(":");
  const port = portAt < 0 ? "" : authority.slice(portAt);
  if (!/^(:[0-9]*)?$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`;
  const escape = /%.{0,2}/.exec(authority);
  if (escape !== null) return `invalid URL escape ${JSON.stringify(escape[0])}`;
  const odd = Array.from(authority).find((character) => /[\u0000-\u007F]/.test(character) && !HOST.test(character));
  return odd === undefined ? undefined : `invalid character ${JSON.stringify(odd)} in host name`;
}

function escapeFault(path: string): string | undefined {
  const escape = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(path)?.[0] ?? escapesOfNoText(path);
  return escape === undefined ? undefined : `invalid URL escape ${JSON.stringify(escape)}`;
}

/** Escapes that are no UTF-8. Go accepts the bytes, but no Ingress can have them. */
function escapesOfNoText(path: string): string | undefined {
  return path.match(ESCAPES)?.find((escapes) => Buffer.from(bytesOf(escapes)).toString().includes("\uFFFD"));
}

const ESCAPES = /(%[0-9A-Fa-f]{2})+/g;

function bytesOf(escapes: string): number[] {
  return Array.from(escapes.matchAll(/%(..)/g), ([, digits = ""]) => Number.parseInt(digits, 16));
}

function unescaped(path: string): string {
  return path.replace(ESCAPES, (escapes) => Buffer.from(bytesOf(escapes)).toString());
}

/** Whether a path can stay as it was given. It may have more characters without escapes than a path that is escaped here. */
function isEscaped(path: string): boolean {
  return /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]*$/.test(path);
}

function escaped(text: string, kept: RegExp): string {
  const escape = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  return Array.from(text, (character) =>
    kept.test(character) ? character : Array.from(Buffer.from(character), escape).join(""),
  ).join("");
}
