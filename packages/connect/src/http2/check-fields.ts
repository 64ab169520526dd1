import type { Fields } from "../hpack/static-table.ts";

const REQUEST: ReadonlySet<string> = new Set([":method", ":scheme", ":authority", ":path"]);
const RESPONSE: ReadonlySet<string> = new Set([":status"]);
const NONE: ReadonlySet<string> = new Set();
/** Headers of HTTP/1.1 that speak of a connection (RFC 9113, 8.2.2). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);
const NAME = /^:?[!#$%&'*+\-.^_`|~0-9a-z]+$/;
/** Characters that end a line, or a text, for others. */
const FORBIDDEN = /[\0\r\n]/;

/** Whether these can be the headers of a call (RFC 9113, 8.2 and 8.3.1). */
export function isRequest(fields: Fields): boolean {
  if (!areFields(fields, REQUEST)) return false;
  const has = (name: string): boolean => fields.some((field) => field[0] === name && field[1] !== "");
  return has(":method") && has(":scheme") && has(":path");
}

/** Whether these can be the headers of an answer. */
export function isResponse(fields: Fields): boolean {
  return areFields(fields, RESPONSE) && /^[1-5]\d\d$/.test(valueOf(fields, ":status") ?? "");
}

/** Whether these can end a call. */
export function areTrailers(fields: Fields): boolean {
  return areFields(fields, NONE);
}

/** The first value of a header. */
export function valueOf(fields: Fields, wanted: string): string | undefined {
  return fields.find(([name]) => name === wanted)?.[1];
}

function areFields(fields: Fields, pseudo: ReadonlySet<string>): boolean {
  const seen = new Set<string>();
  let isRegular = false;
  for (const [name, value] of fields) {
    if (!NAME.test(name) || FORBIDDEN.test(value)) return false;
    if (name.startsWith(":")) {
      if (isRegular || seen.has(name) || !pseudo.has(name)) return false;
      seen.add(name);
    } else isRegular = true;
    if (OF_CONNECTION.has(name) || (name === "te" && value !== "trailers")) return false;
  }
  return true;
}
