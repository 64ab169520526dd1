import type { IncomingMessage } from "node:http";
import type { Overview } from "@kindling/gateway-client";
import type { SignIn } from "@kindling/oidc";
import type { PageAnswer, Pages } from "@kindling/service";
import type { HistoryRoutes } from "../history/history-routes.ts";
import type { Sample } from "./history.ts";
import { pageRoutes } from "./page-routes.ts";
import { type AskRight, visibleOverview } from "./visible-overview.ts";

export interface SignedInRoutesOptions {
  readonly signIn: SignIn;
  readonly overview: () => Overview;
  readonly samples: () => readonly Sample[];
  readonly hosts: readonly string[];
  readonly ask: AskRight;
  /** The pages of applications that have ended; undefined without a recorder. */
  readonly history: HistoryRoutes | undefined;
}

const NOT_SIGNED_IN: PageAnswer = {
  status: 401,
  headers: { "content-type": "text/plain", "cache-control": "no-store" },
  body: "you are not signed in: open the page in a browser\n",
};

/** The page for people who have signed in; a browser of anybody else is sent to the issuer. */
export function signedInRoutes({ signIn, overview, samples, hosts, ask, history }: SignedInRoutesOptions): Pages {
  return async (request) => {
    const own = await signIn.answer(request);
    if (own !== undefined) return own;
    const user = signIn.userOf(request);
    if (user === undefined) return isNavigation(request) ? await signIn.begin(request) : NOT_SIGNED_IN;
    const ended = await history?.(request, user);
    if (ended !== undefined) return personal(ended);
    const seen = await visibleOverview(overview(), user, ask);
    const frame = { user: user.username, hasHistory: history !== undefined };
    const page = pageRoutes({ overview: () => seen, samples, hosts: () => hosts, ...frame })(request);
    return page && personal(page);
  };
}

/** Each user sees something else. */
function personal(answer: PageAnswer): PageAnswer {
  const kept = answer.headers["cache-control"];
  return kept === "no-cache"
    ? { ...answer, headers: { ...answer.headers, "cache-control": "private, no-cache" } }
    : answer;
}

/** Whether a browser asks for a page to show, and not for a part of one: only then can it be sent elsewhere. */
function isNavigation({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && (headers.accept ?? "").includes("text/html");
}
