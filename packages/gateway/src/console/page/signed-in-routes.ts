import type { IncomingMessage } from "node:http";
import type { Overview } from "@kindling/gateway-client";
import type { SignIn } from "@kindling/oidc";
import type { PageAnswer, Pages } from "@kindling/service";
import type { Sample } from "./history.ts";
import { pageRoutes } from "./page-routes.ts";
import { type AskRight, visibleOverview } from "./visible-overview.ts";

export interface SignedInRoutesOptions {
  readonly signIn: SignIn;
  readonly overview: () => Overview;
  readonly samples: () => readonly Sample[];
  readonly hosts: readonly string[];
  readonly ask: AskRight;
}

const NOT_SIGNED_IN: PageAnswer = {
  status: 401,
  headers: { "content-type": "text/plain", "cache-control": "no-store" },
  body: "you are not signed in: open the page in a browser\n",
};

/** The page for people who have signed in; a browser of anybody else is sent to the issuer. */
export function signedInRoutes({ signIn, overview, samples, hosts, ask }: SignedInRoutesOptions): Pages {
  return async (request) => {
    const own = await signIn.answer(request);
    if (own !== undefined) return own;
    const user = signIn.userOf(request);
    if (user === undefined) return isNavigation(request) ? await signIn.begin(request) : NOT_SIGNED_IN;
    const seen = await visibleOverview(overview(), user, ask);
    const page = pageRoutes({ overview: () => seen, samples, hosts: () => hosts, user: user.username })(request);
    // Each user sees something else.
    return page && { ...page, headers: { ...page.headers, "cache-control": "private, no-cache" } };
  };
}

/** Whether a browser asks for a page to show, and not for a part of one: only then can it be sent elsewhere. */
function isNavigation({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && (headers.accept ?? "").includes("text/html");
}
