import type { IncomingMessage } from "node:http";
import { ManualClock, systemRandom } from "@kindling/outside";
import { jsonLog, type PageAnswer, type ReviewedUser } from "@kindling/service";
import { signedToken, signingKey, startTestIssuer, type TestIssuer } from "@kindling/test-kit/oidc-issuer";
import { eventually } from "@kindling/test-kit/eventually";
import { sendJson } from "@kindling/test-kit/stub-server";
import { expect, test } from "vitest";
import { openVerifier, signIn, type SignIn } from "../../src/index.ts";
import { usualSettings } from "../support/usual-settings.ts";

const KEY = signingKey("one");

interface Opened {
  readonly clock: ManualClock;
  readonly own: SignIn;
  readonly told: (readonly [string | undefined, string])[];
  readonly lines: readonly string[];
}

function open(issuer: TestIssuer, pageUrl = "https://spark.example.org/"): Opened {
  const clock = new ManualClock(Date.now());
  const lines: string[] = [];
  const told: (readonly [string | undefined, string])[] = [];
  const log = jsonLog({ write: (line) => void lines.push(line) }, clock, "debug");
  const own = signIn({
    ...{ clock, random: systemRandom(), log, pageUrl: new URL(pageUrl), sessionSeconds: 3600 },
    verifier: openVerifier(usualSettings(issuer.url, issuer.caFile), { clock, env: {}, log }),
    ...{ clientId: "kindling", clientSecret: () => undefined, scopes: ["openid"] },
    onSignIn: (_, user: ReviewedUser | undefined, reason) => void told.push([user?.username, reason]),
  });
  return { clock, own, told, lines };
}

/** A request of a browser, with the cookies that answers have set. */
function request(url: string, answers: readonly PageAnswer[] = [], method = "GET"): IncomingMessage {
  const cookie = answers
    .flatMap(({ headers }) => [headers["set-cookie"] ?? []].flat())
    .map((text) => text.split(";")[0])
    .join("; ");
  return { method, url, headers: { cookie } } as unknown as IncomingMessage;
}

const sentTo = ({ headers }: PageAnswer): URL => new URL(String(headers["location"]));

/** The issuer's token endpoint answers with a token that has the nonce of the sign-in. */
function answerCodes(issuer: TestIssuer, begun: PageAnswer, claims: Readonly<Record<string, unknown>> = {}): void {
  const nonce = sentTo(begun).searchParams.get("nonce");
  issuer.answerToken = (response) =>
    sendJson(response, { id_token: signedToken(KEY, issuer.claims({ nonce, ...claims })), access_token: "opaque" });
}

test("the cookies are for this host alone, over https, and no script reads them", async () => {
  const issuer = await startTestIssuer([KEY]);
  issuer.document = { authorization_endpoint: `${issuer.url}/authorize` };
  const { own } = open(issuer);
  const begun = await own.begin(request("/?queue=etl"));
  answerCodes(issuer, begun);
  const state = sentTo(begun).searchParams.get("state");
  const done = await own.answer(request(`/oidc/callback?code=x&state=${state}`, [begun]));
  expect(done).toMatchObject({ status: 302, headers: { location: "/?queue=etl", "cache-control": "no-store" } });
  for (const cookie of [begun, done].flatMap((answer) => [answer?.headers["set-cookie"] ?? []].flat()))
    expect(cookie).toMatch(/^__Host-kindling-(session|sign-in)=[^;]*; Path=\/; HttpOnly; SameSite=Lax; Secure/);
  expect(own.userOf(request("/", done && [done]))).toMatchObject({ username: "ada" });
});

test("a session ends after its time, and at once when its owner signs out", async () => {
  const issuer = await startTestIssuer([KEY]);
  issuer.document = { authorization_endpoint: `${issuer.url}/authorize` };
  const { own, clock } = open(issuer);
  const signedIn = async (): Promise<PageAnswer> => {
    const begun = await own.begin(request("/"));
    answerCodes(issuer, begun);
    const state = sentTo(begun).searchParams.get("state");
    const done = await own.answer(request(`/oidc/callback?code=x&state=${state}`, [begun]));
    if (done === undefined) throw new Error("there is an answer");
    return done;
  };
  const [first, second] = [await signedIn(), await signedIn()];
  await own.answer(request("/oidc/logout", [first], "POST"));
  expect(own.userOf(request("/", [first]))).toBeUndefined();
  expect(own.userOf(request("/", [second]))).toBeDefined();
  // A link of another site may not sign anybody out.
  expect(await own.answer(request("/oidc/logout", [second], "GET"))).toBeUndefined();
  await clock.advance(3_601_000);
  expect(own.userOf(request("/", [second]))).toBeUndefined();
});

test("what does not belong to this very sign-in is refused, and told with its reason", async () => {
  const issuer = await startTestIssuer([KEY]);
  issuer.document = { authorization_endpoint: `${issuer.url}/authorize` };
  const { own, clock, told } = open(issuer);
  const begun = await own.begin(request("/"));
  const state = sentTo(begun).searchParams.get("state");
  const callback = `/oidc/callback?code=x&state=${state}`;
  const refusal = async (answers: readonly PageAnswer[]): Promise<string> => {
    const answer = await own.answer(request(callback, answers));
    expect(answer?.status).toBe(401);
    return told.at(-1)?.[1] ?? "";
  };
  answerCodes(issuer, begun, { nonce: "of another" });
  expect(await refusal([begun])).toBe("the token is for another sign-in");
  answerCodes(issuer, begun, { nonce: undefined });
  expect(await refusal([begun])).toBe("the token is for another sign-in");
  answerCodes(issuer, begun, { aud: "other" });
  expect(await refusal([begun])).toBe("the token is not accepted: it is not for the client kindling");
  answerCodes(issuer, begun, { iss: "https://other.example" });
  expect(await refusal([begun])).toBe("the token is not one of this issuer");
  issuer.answerToken = (response) => sendJson(response, { error: "invalid_client" }, 401);
  expect(await refusal([begun])).toBe("the issuer gives no token: invalid_client");
  issuer.answerToken = (response) => sendJson(response, { error: "<b>\u001b[2J" }, 400);
  expect(await refusal([begun])).toBe("the issuer gives no token: status 400");
  expect(await refusal([])).toMatch(/was not begun here/);
  const forged = { ...begun, headers: { "set-cookie": "__Host-kindling-sign-in=eyJzdGF0ZSI6IngifQ.AAAA" } };
  expect(await refusal([forged])).toMatch(/was not begun here/);
  await clock.advance(601_000);
  expect(await refusal([begun])).toMatch(/too long ago/);
  expect(told.every(([user]) => user === undefined)).toBe(true);
});

test("while the issuer does not answer, people are told so, and the log says why", async () => {
  const issuer = await startTestIssuer([KEY]);
  issuer.document = { authorization_endpoint: `${issuer.url}/authorize` };
  const { own, lines, clock } = open(issuer);
  const begun = await own.begin(request("/"));
  const state = sentTo(begun).searchParams.get("state");
  issuer.answerToken = () => undefined;
  const answer = own.answer(request(`/oidc/callback?code=x&state=${state}`, [begun]));
  await eventually(() => expect(issuer.server.requests.some(({ url }) => url === "/token")).toBe(true));
  await clock.advance(11_000);
  expect(await answer).toMatchObject({ status: 503, body: expect.stringMatching(/^Nobody can sign in at present/) });
  expect(lines.at(-1)).toMatch(/nobody can sign in.*no whole answer within 10 s/);
  const none = await startTestIssuer([KEY]);
  const without = open(none);
  expect(await without.own.begin(request("/"))).toMatchObject({ status: 503 });
  expect(without.lines.at(-1)).toMatch(/names no addresses to sign in at/);
});
