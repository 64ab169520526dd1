import { ManualClock, systemClock } from "@kindling/outside";
import { jsonLog } from "@kindling/service";
import { signedToken, signingKey, startTestIssuer, type TestIssuer } from "@kindling/test-kit/oidc-issuer";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Issuer, openIssuer, tokenVerifier, type TokenVerifier } from "../../src/index.ts";
import { usualSettings } from "../support/usual-settings.ts";

const OLD = signingKey("old");
const NEW = signingKey("new");

interface Opened {
  readonly clock: ManualClock;
  readonly opened: Issuer;
  readonly verifier: TokenVerifier;
  readonly lines: readonly string[];
}

function open(issuer: TestIssuer, clock: ManualClock = new ManualClock(Date.now())): Opened {
  const lines: string[] = [];
  const log = jsonLog({ write: (line) => void lines.push(line) }, clock, "debug");
  const ca = (): string => readFileSync(issuer.caFile, "utf8");
  // Requests have the machine's own limits of time, whatever the test does with its clock.
  const connection = { ...systemClock, monotonic: () => clock.monotonic(), now: () => clock.now() };
  const opened = openIssuer({ url: issuer.url, clock: connection, env: {}, log, ca });
  const settings = usualSettings(issuer.url, undefined);
  return { clock, opened, lines, verifier: tokenVerifier(opened, settings, clock) };
}

const keyRequests = ({ server }: TestIssuer): number => server.requests.filter(({ url }) => url === "/keys").length;

test("after a rotation the new key counts at once, and the old one no longer", async () => {
  const issuer = await startTestIssuer([OLD]);
  const { clock, verifier } = open(issuer);
  const [before, after] = [OLD, NEW].map((key) => signedToken(key, issuer.claims()));
  expect(await verifier.verify(before ?? "")).toMatchObject({ kind: "user" });
  issuer.keys = [NEW.publicJwk];
  await clock.advance(11_000);
  expect(await verifier.verify(after ?? "")).toMatchObject({ kind: "user" });
  expect(await verifier.verify(before ?? "")).toMatchObject({ kind: "refused" });
});

test("a key that was withdrawn does not count after a while, also if nobody asked meanwhile", async () => {
  const issuer = await startTestIssuer([OLD, NEW]);
  const { clock, verifier } = open(issuer);
  const token = signedToken(OLD, issuer.claims());
  expect(await verifier.verify(token)).toMatchObject({ kind: "user" });
  issuer.keys = [NEW.publicJwk];
  await clock.advance(25 * 60_000);
  expect(await verifier.verify(token)).toMatchObject({ kind: "refused" });
});

test("tokens with invented names of keys make the service ask its issuer once in ten seconds", async () => {
  const issuer = await startTestIssuer([OLD]);
  const { clock, verifier } = open(issuer);
  await verifier.verify(signedToken(OLD, issuer.claims()));
  await clock.advance(11_000);
  const before = keyRequests(issuer);
  const invented = Array.from({ length: 50 }, (_, n) => signedToken(OLD, issuer.claims(), { kid: `invented-${n}` }));
  const found = await Promise.all(invented.map((token) => verifier.verify(token)));
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(["refused"]));
  expect(keyRequests(issuer) - before).toBe(1);
});

test("while the issuer is away, the keys that are known go on counting", async () => {
  const issuer = await startTestIssuer([OLD]);
  const { clock, verifier, lines } = open(issuer);
  const token = signedToken(OLD, issuer.claims());
  await verifier.verify(token);
  issuer.mood = "status-500";
  await clock.advance(11 * 60_000);
  expect(await verifier.verify(token)).toMatchObject({ kind: "user" });
  await expect.poll(() => lines.join("")).toContain("answers with status 500 instead of 200");
});

test.each([
  ["silent", {}, /does not answer|no whole answer/],
  ["status-500", {}, /\/\.well-known\/openid-configuration answers with status 500 instead of 200/],
  ["redirects", {}, /answers with status 302 instead of 200/],
  ["no-json", {}, /answers with something that is not JSON/],
  ["endless", {}, /the answer is longer than 2097152 bytes/],
  ["well", { issuer: "https://other.example" }, /the issuer calls itself "https:\/\/other\.example"/],
  ["well", { issuer: undefined }, /the issuer calls itself missing/],
  ["well", { jwks_uri: "http://127.0.0.1:1/keys" }, /the issuer names no https address of its keys/],
  ["well", { jwks_uri: ["x"] }, /the issuer names no https address of its keys/],
] as const)(
  "an issuer that is %s %o is named with its fault in one line",
  { timeout: 20_000 },
  async (mood, document, says) => {
    const issuer = await startTestIssuer([OLD]);
    Object.assign(issuer, { mood, document });
    const { verifier, lines } = open(issuer);
    const begin = performance.now();
    await expect(verifier.verify(signedToken(OLD, issuer.claims()))).rejects.toThrow(says);
    expect(performance.now() - begin).toBeLessThan(8_000);
    for (const line of lines) expect(line.trim()).not.toContain("\n");
  },
);

test("an issuer that cannot be reached, or has a certificate of somebody else, is named with the reason", async () => {
  const issuer = await startTestIssuer([OLD]);
  const other = await startTestIssuer([OLD]);
  const token = signedToken(OLD, issuer.claims());
  await expect(open({ ...issuer, caFile: other.caFile }).verifier.verify(token)).rejects.toThrow(/certificate/);
  await issuer.server.close();
  await expect(open(issuer).verifier.verify(token)).rejects.toThrow(/cannot be asked at present: .*refused/);
});

test("a service that started before its issuer accepts tokens soon after it is there", async () => {
  const issuer = await startTestIssuer([OLD]);
  issuer.mood = "status-500";
  const { clock, verifier } = open(issuer);
  const token = signedToken(OLD, issuer.claims());
  await expect(verifier.verify(token)).rejects.toThrow(/status 500/);
  issuer.mood = "well";
  await clock.advance(6_000);
  expect(await verifier.verify(token)).toMatchObject({ kind: "user" });
});

test("a thousand keys, keys of unknown kinds and wrong certificates beside keys do no harm", async () => {
  const issuer = await startTestIssuer([OLD]);
  const many = Array.from({ length: 1_000 }, (_, n) => ({ ...NEW.publicJwk, kid: `key-${n}` }));
  const odd = [null, "key", {}, { kty: "AKP", kid: "pq" }, { kty: "RSA", kid: "broken", n: 1 }];
  issuer.keys = [...odd, ...many, { ...OLD.publicJwk, x5t: "?", "x5t#S2": "not base64", x5c: [1] }];
  const { verifier } = open(issuer);
  const token = signedToken(OLD, issuer.claims());
  expect(await verifier.verify(token)).toMatchObject({ kind: "user" });
  const begin = performance.now();
  for (let n = 0; n < 20; n += 1) await verifier.verify(token);
  expect((performance.now() - begin) / 20).toBeLessThan(50);
  expect(await verifier.verify(signedToken(OLD, issuer.claims(), { kid: "broken" }))).toMatchObject({
    kind: "refused",
  });
});

test("a token that names no key is tried with the keys of its algorithm, and only with some", async () => {
  const issuer = await startTestIssuer([NEW, OLD]);
  const { verifier } = open(issuer);
  const token = signedToken(OLD, issuer.claims(), { kid: undefined });
  expect(await verifier.verify(token)).toMatchObject({ kind: "user" });
  const crowded = await startTestIssuer([]);
  crowded.keys = [...Array.from({ length: 200 }, () => NEW.publicJwk), OLD.publicJwk];
  const late = signedToken(OLD, crowded.claims(), { kid: undefined });
  expect(await open(crowded).verifier.verify(late)).toMatchObject({ kind: "refused" });
});
