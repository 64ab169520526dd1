import type { IncomingMessage } from "node:http";
import { messageOf } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import type { Log, PageAnswer, ReviewedUser } from "@kindling/service";
import type { OpenedVerifier } from "../tokens/open-verifier.ts";
import { type LoginClient, newAttempt, signedIn, signInUrl } from "./code-flow.ts";
import { cookieName, cookieOf, setCookie } from "./cookies.ts";
import { type Sealed, sealed } from "./sealed.ts";
import { type Sessions, sessions } from "./sessions.ts";

export interface SignInOptions extends Pick<Outside, "clock" | "random"> {
  readonly verifier: OpenedVerifier;
  readonly clientId: string;
  readonly clientSecret: () => string | undefined;
  readonly scopes: readonly string[];
  /** The page's address as browsers see it, such as `https://spark.example.org`. */
  readonly pageUrl: URL;
  /** How long somebody stays signed in. */
  readonly sessionSeconds: number;
  readonly log: Log;
  /** Told of each sign-in and each refusal, with its reason. */
  readonly onSignIn: (request: IncomingMessage, user: ReviewedUser | undefined, reason: string) => void;
}

/** Signs people in and out who come with a browser. */
export interface SignIn {
  /** Who sends a request; undefined for somebody who has not signed in. */
  userOf(request: IncomingMessage): ReviewedUser | undefined;
  /** Answers the paths under `/oidc/`; undefined for all others. */
  answer(request: IncomingMessage): Promise<PageAnswer | undefined>;
  /** Sends a browser to the issuer, and back to the page that it asked for. */
  begin(request: IncomingMessage): Promise<PageAnswer>;
}

export const CALLBACK_PATH = "/oidc/callback";
export const LOGOUT_PATH = "/oidc/logout";
/** How long somebody may take at the issuer. */
const ATTEMPT_SECONDS = 600;

/** What all answers need. */
interface Desk extends SignInOptions {
  readonly client: LoginClient;
  readonly seal: Sealed;
  readonly kept: Sessions;
  readonly isSecure: boolean;
  /** The names of the cookies. */
  readonly names: { readonly session: string; readonly attempt: string };
}

export function signIn(options: SignInOptions): SignIn {
  const { clock, random, pageUrl } = options;
  const isSecure = pageUrl.protocol === "https:";
  const desk: Desk = {
    ...options,
    isSecure,
    names: {
      session: cookieName("kindling-session", isSecure),
      attempt: cookieName("kindling-sign-in", isSecure),
    },
    kept: sessions({ clock, random }, options.sessionSeconds),
    seal: sealed(random.bytes(32)),
    client: {
      id: options.clientId,
      secret: options.clientSecret,
      scopes: options.scopes,
      redirectUri: new URL(CALLBACK_PATH, pageUrl).href,
    },
  };
  return {
    userOf: (request) => desk.kept.userOf(cookieOf(request, desk.names.session) ?? ""),
    begin: (request) => begin(desk, request),
    async answer(request) {
      const [path] = (request.url ?? "").split("?");
      if (path === CALLBACK_PATH && request.method === "GET") return await finish(desk, request);
      // Only a form of the page itself can do this: other sites' forms are sent without the cookie.
      if (path === LOGOUT_PATH && request.method === "POST") return await leave(desk, request);
      return undefined;
    },
  };
}

async function begin(desk: Desk, request: IncomingMessage): Promise<PageAnswer> {
  const { verifier, client, clock, random, seal, isSecure, names } = desk;
  const own = newAttempt(random);
  try {
    const { href } = await signInUrl(verifier, client, own);
    const until = String(clock.now() + ATTEMPT_SECONDS * 1000);
    const value = seal.seal({ ...own, to: localPath(request.url), until });
    return redirect(href, [setCookie(names.attempt, value, { isSecure, maxAgeSeconds: ATTEMPT_SECONDS })]);
  } catch (error) {
    return failure(desk, error);
  }
}

async function finish(desk: Desk, request: IncomingMessage): Promise<PageAnswer> {
  const { verifier, client, clock, seal, isSecure, names, kept, pageUrl, onSignIn } = desk;
  const query = new URL(request.url ?? "", pageUrl).searchParams;
  const begun = seal.open(cookieOf(request, names.attempt) ?? "");
  const { state, nonce = "", codeVerifier = "", to, until } = begun ?? {};
  // RFC 6749, 10.12: somebody else may have sent this browser here. A sign-in that it has begun goes on.
  if (state === undefined || query.get("state") !== state || Number(until) < clock.now())
    return refused(desk, request, "this sign-in was not begun here, or too long ago", []);
  const over = [gone(desk, names.attempt)];
  const code = query.get("code");
  if (code === null) return refused(desk, request, `the issuer refuses: ${errorOf(query.get("error"))}`, over);
  try {
    const found = await signedIn(verifier, client, code, { state, nonce, codeVerifier });
    if (found.kind === "refused") return refused(desk, request, found.reason, over);
    onSignIn(request, found.user, "signed in");
    return redirect(localPath(to), [setCookie(names.session, kept.begin(found.user), { isSecure }), ...over]);
  } catch (error) {
    return failure(desk, error);
  }
}

async function leave(desk: Desk, request: IncomingMessage): Promise<PageAnswer> {
  const { verifier, kept, names } = desk;
  const id = cookieOf(request, names.session);
  if (id !== undefined) kept.end(id);
  const keys = await verifier.issuer.keys().catch(() => undefined);
  const elsewhere = keys?.document.login?.endSession;
  const note = elsewhere === undefined ? "" : ` You are still signed in at ${elsewhere.origin}.`;
  return plain(200, `You are signed out.${note}`, [gone(desk, names.session)]);
}

function refused(
  { pageUrl, onSignIn }: Desk,
  request: IncomingMessage,
  reason: string,
  cookies: readonly string[],
): PageAnswer {
  onSignIn(request, undefined, reason);
  return plain(401, `You are not signed in: ${reason}. Open ${pageUrl.href} to try again.`, cookies);
}

function failure({ log }: Desk, error: unknown): PageAnswer {
  log.warn("nobody can sign in", { error: messageOf(error) });
  return plain(
    503,
    "Nobody can sign in at present, because the issuer cannot be asked. The service's log says why.",
    [],
  );
}

function gone({ isSecure }: Desk, name: string): string {
  return setCookie(name, "", { isSecure, maxAgeSeconds: 0 });
}

/** An error's name (RFC 6749, 4.1.2.1). */
function errorOf(name: string | null): string {
  return name !== null && /^[\w.-]{1,60}$/.test(name) ? name : "it sends no code";
}

/** A path of this server that is short enough for a cookie. Browsers read `//host` and `/\host` as the address of another one. */
function localPath(path: string | undefined): string {
  return path !== undefined && /^\/(?![/\\])[\x21-\x7e]{0,1000}$/.test(path) ? path : "/";
}

const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

function redirect(location: string, cookies: readonly string[]): PageAnswer {
  return { status: 302, headers: { ...HEADERS, location, "set-cookie": cookies }, body: "" };
}

function plain(status: number, text: string, cookies: readonly string[]): PageAnswer {
  const headers = { ...HEADERS, "content-type": "text/plain; charset=utf-8", "set-cookie": cookies };
  return { status, headers, body: `${text}\n` };
}
