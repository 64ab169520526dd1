import type { IncomingMessage } from "node:http";
import { type Overview, overviewDocument } from "@kindling/gateway-client";
import { filterOf } from "./filter.ts";
import type { Sample } from "./history.ts";
import { answerWith, type PageAnswer, refusalOf } from "./page-answer.ts";
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
  /** Whether there are pages of applications that have ended, too. */
  readonly hasHistory?: boolean;
}

/** Answers requests for the page and for its data as JSON; undefined for all other requests. No request can change anything. */
export function pageRoutes({
  overview,
  samples,
  hosts,
  user,
  hasHistory = false,
}: PageOptions): (request: IncomingMessage) => PageAnswer | undefined {
  const contentOf = (path: string, query: URLSearchParams): readonly [type: string, body: string] | undefined => {
    switch (path) {
      case "/":
        return ["text/html; charset=utf-8", renderPage(overview(), samples(), filterOf(query), { user, hasHistory })];
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
  return (request) => {
    const [path = "", query = ""] = (request.url ?? "").split("?", 2);
    const content = contentOf(path, new URLSearchParams(query));
    if (content === undefined) return undefined;
    return refusalOf(request, hosts()) ?? answerWith(request, ...content);
  };
}
