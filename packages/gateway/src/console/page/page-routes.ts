import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Overview, overviewDocument } from "@kindling/gateway-client";
import { filterOf } from "./filter.ts";
import type { Sample } from "./history.ts";
import { isOwnHost } from "./own-hosts.ts";
import { renderPage } from "./render-page.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

export interface PageOptions {
  readonly overview: () => Overview;
  readonly samples: () => readonly Sample[];
  /** Further names that this server is called by (`own-hosts.ts`). */
  readonly hosts: () => readonly string[];
  /** Who has signed in; undefined where nobody has to. */
  readonly user?: string;
}

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

const HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-cache",
};

/** RFC 9110, 15.5.20. */
const MISDIRECTED: PageAnswer = {
  status: 421,
  headers: { ...HEADERS, "content-type": "text/plain" },
  body: "this server is not known by that name: add the name to the gateway's setting admin.hosts\n",
};

/** Answers requests for the page and for its data as JSON; undefined for all other requests. No request can change anything. */
export function pageRoutes({
  overview,
  samples,
  hosts,
  user,
}: PageOptions): (request: IncomingMessage) => PageAnswer | undefined {
  const contentOf = (path: string, query: URLSearchParams): readonly [type: string, body: string] | undefined => {
    switch (path) {
      case "/":
        return ["text/html; charset=utf-8", renderPage(overview(), samples(), filterOf(query), user)];
      case "/page.css":
        return ["text/css; charset=utf-8", STYLE];
      case "/page.js":
        return ["text/javascript; charset=utf-8", SCRIPT];
      case "/api/overview":
        return ["application/json", `${JSON.stringify(overviewDocument(overview()))}\n`];
      default:
        return undefined;
    }
  };
  return ({ method = "", url = "", headers }) => {
    const [path = "", query = ""] = url.split("?", 2);
    const content = contentOf(path, new URLSearchParams(query));
    if (content === undefined) return undefined;
    if (!isOwnHost(headers.host, hosts())) return MISDIRECTED;
    if (method !== "GET" && method !== "HEAD") {
      return {
        status: 405,
        headers: { allow: "GET, HEAD", "content-type": "text/plain" },
        body: "it can only be read\n",
      };
    }
    const [type, body] = content;
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    // RFC 9110, 13.1.2: a proxy may have changed the tag to a weak one.
    const isKnown = (headers["if-none-match"] ?? "").split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
    const common = { ...HEADERS, etag };
    if (isKnown) return { status: 304, headers: common, body: "" };
    return { status: 200, headers: { ...common, "content-type": type }, body };
  };
}
