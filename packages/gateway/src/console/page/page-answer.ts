import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isOwnHost } from "./own-hosts.ts";

/** A complete answer. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Only the page's own code and style; no frames, and nothing from or to other sites. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

/** Of all answers that show something. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-cache",
};

/** RFC 9110, 15.5.20. */
const MISDIRECTED: PageAnswer = {
  status: 421,
  headers: { ...PAGE_HEADERS, "content-type": "text/plain" },
  body: "this server is not known by that name: add the name to the gateway's setting admin.hosts\n",
};

const READ_ONLY: PageAnswer = {
  status: 405,
  headers: { allow: "GET, HEAD", "content-type": "text/plain" },
  body: "it can only be read\n",
};

/**
 * The answer to a request that is refused, whatever it wants to see; undefined for all others.
 *
 * @param hosts further names that this server is called by
 */
export function refusalOf({ method, headers }: IncomingMessage, hosts: readonly string[]): PageAnswer | undefined {
  if (!isOwnHost(headers.host, hosts)) return MISDIRECTED;
  return method === "GET" || method === "HEAD" ? undefined : READ_ONLY;
}

/** An answer with contents; without them, if the browser has them already. */
export function answerWith({ headers }: IncomingMessage, type: string, body: string): PageAnswer {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  // RFC 9110, 13.1.2: a proxy may have changed the tag to a weak one.
  const isKnown = (headers["if-none-match"] ?? "").split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
  const common = { ...PAGE_HEADERS, etag };
  if (isKnown) return { status: 304, headers: common, body: "" };
  return { status: 200, headers: { ...common, "content-type": type }, body };
}
