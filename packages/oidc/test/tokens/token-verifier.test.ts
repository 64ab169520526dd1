import { ManualClock } from "@kindling/outside";
import { jsonLog } from "@kindling/service";
import {
  hmacToken,
  signedToken,
  signingKey,
  startTestIssuer,
  type TestIssuer,
  unsignedToken,
} from "@kindling/test-kit/oidc-issuer";
import { expect, test } from "vitest";
import { openVerifier, type TokenVerifier } from "../../src/index.ts";
import { type IssuerSettings, issuerSettings, OIDC_KEYS } from "../../src/settings.ts";
import { load } from "@kindling/service/settings";

const RSA = signingKey("rsa-1");
const EC = signingKey("ec-1", "ES256");

interface Opened {
  readonly issuer: TestIssuer;
  readonly verifier: TokenVerifier;
  readonly lines: readonly string[];
  /** What a token proves: a user's name, or why it is refused. */
  readonly say: (token: string) => Promise<string>;
}

function settingsOf(issuer: TestIssuer, ...flags: readonly string[]): IssuerSettings {
  const own = ["--oidc-issuer-url", issuer.url, "--oidc-client-id", "kindling", "--oidc-ca-file", issuer.caFile];
  const program = { name: "test", summary: "", prefix: "TEST", settings: OIDC_KEYS, examples: [] };
  const settings = issuerSettings(load(program, { args: [...own, ...flags], env: {}, readFile: () => "" }));
  if (settings === undefined) throw new Error("there is an issuer");
  return settings;
}

async function open(...flags: readonly string[]): Promise<Opened> {
  const issuer = await startTestIssuer([RSA, EC]);
  const lines: string[] = [];
  const clock = new ManualClock(Date.now());
  const log = jsonLog({ write: (line) => void lines.push(line) }, clock, "debug");
  const settings = settingsOf(issuer, "--oidc-signing-algs", "RS256,ES256", ...flags);
  const verifier = openVerifier(settings, { clock, env: {}, log });
  const say = async (token: string): Promise<string> => {
    const found = await verifier.verify(token);
    return found.kind === "user" ? found.user.username : found.kind === "refused" ? found.reason : found.kind;
  };
  return { issuer, verifier, lines, say };
}

test("tokens of both kinds of keys are accepted, and their user is named as kube-apiserver names it", async () => {
  const { issuer, verifier } = await open("--oidc-groups-claim", "groups", "--oidc-groups-prefix", "corp:");
  for (const key of [RSA, EC]) {
    const found = await verifier.verify(signedToken(key, issuer.claims({ groups: ["etl", "ml"], jti: "7" })));
    expect(found).toMatchObject({
      user: {
        username: `${issuer.url}#ada`,
        groups: ["corp:etl", "corp:ml", "system:authenticated"],
        extra: { "authentication.kubernetes.io/credential-id": ["JTI=7"] },
      },
    });
  }
});

test("a token that is not in order is refused with the reason, and nothing of it is logged", async () => {
  const { issuer, say, lines } = await open("--oidc-required-claim", "hd=example.org");
  const stranger = signingKey("stranger");
  const namesake = signingKey("rsa-1");
  const hd = { hd: "example.org" };
  const claims = (changes: Readonly<Record<string, unknown>> = {}) => issuer.claims({ ...hd, ...changes });
  const now = Math.floor(Date.now() / 1000);
  const cases: readonly (readonly [token: string, says: RegExp])[] = [
    [unsignedToken(claims()), /oidc\.signingAlgs does not have the algorithm/],
    [hmacToken(RSA.publicPem, "rsa-1", claims()), /oidc\.signingAlgs does not have the algorithm/],
    [hmacToken(JSON.stringify(RSA.publicJwk), "rsa-1", claims()), /oidc\.signingAlgs does not have the algorithm/],
    [signedToken(stranger, claims()), /a key that its issuer does not publish/],
    [signedToken(namesake, claims()), /its signature is wrong/],
    [signedToken(EC, claims(), { alg: "RS256" }), /a key that its issuer does not publish/],
    [signedToken(RSA, claims({ exp: now - 120 })), /it has expired/],
    [signedToken(RSA, claims({ exp: undefined })), /it has no claim exp/],
    [signedToken(RSA, claims({ exp: "tomorrow" })), /its claim exp is wrong/],
    [signedToken(RSA, claims({ nbf: now + 3600 })), /it is not valid yet/],
    [signedToken(RSA, claims({ aud: "other" })), /it is not for the client kindling/],
    [signedToken(RSA, claims({ aud: undefined })), /it has no claim aud|not for the client/],
    [signedToken(RSA, claims({ hd: "example.com" })), /its claim hd is not the one/],
    [signedToken(RSA, claims({ sub: "" })), /it has no text in the claim sub/],
    [signedToken(RSA, claims({ sub: { name: "ada" } })), /it has no text in the claim sub|its claim sub is wrong/],
    [signedToken(RSA, claims(), { crit: ["b64"], b64: false }), /not a token of the form/],
    [signedToken(RSA, claims(), { jwk: stranger.publicJwk, kid: "stranger" }), /does not publish/],
  ];
  for (const [token, says] of cases) expect(await say(token)).toMatch(says);
  const good = signedToken(RSA, claims());
  expect(await say(`${good.slice(0, -8)}AAAAAAAA`)).toMatch(/its signature is wrong/);
  expect(await say(good)).toBe(`${issuer.url}#ada`);
  const written = lines.join("");
  for (const [token] of cases) expect(written).not.toContain(token.split(".")[2] || token);
});

test("what is no token of this issuer is left to others", async () => {
  const { issuer, say } = await open();
  for (const token of ["", "abc", "a.b.c", "...", signedToken(RSA, issuer.claims({ iss: "https://other.example" }))])
    expect(await say(token)).toBe("foreign");
  expect(await say(signedToken(RSA, issuer.claims({ iss: `${issuer.url}/` })))).toBe("foreign");
});

test("a clock that is a minute off does no harm", async () => {
  const { issuer, say } = await open("--oidc-username-prefix", "-");
  const now = Math.floor(Date.now() / 1000);
  expect(await say(signedToken(RSA, issuer.claims({ exp: now - 50 })))).toBe("ada");
  expect(await say(signedToken(RSA, issuer.claims({ nbf: now + 50, iat: now + 50 })))).toBe("ada");
});

test("names and groups come from the claims that the settings name", async () => {
  const { issuer, verifier, say } = await open(...["--oidc-username-claim", "email", "--oidc-groups-claim", "roles"]);
  const of = (changes: Readonly<Record<string, unknown>>) => signedToken(RSA, issuer.claims(changes));
  expect(await say(of({ email: "ada@example.org" }))).toBe("ada@example.org");
  expect(await say(of({ email: "ada@example.org", email_verified: true }))).toBe("ada@example.org");
  expect(await say(of({ email: "ada@example.org", email_verified: false }))).toMatch(/email address is not verified/);
  expect(await say(of({ email: "ada@example.org", email_verified: "true" }))).toMatch(/email address is not verified/);
  expect(await verifier.verify(of({ email: "a@b.c", roles: "one" }))).toMatchObject({
    user: { groups: ["one", "system:authenticated"] },
  });
  expect(await say(of({ email: "a@b.c", roles: [1] }))).toMatch(/its claim roles is neither a text nor a list/);
  expect(await say(of({ email: "system:admin" }))).toMatch(/begins with system:/);
  expect(await say(of({ email: "a@b.c", roles: ["system:masters"] }))).toMatch(/begins with system:/);
});
