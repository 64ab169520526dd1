import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { ManualClock } from "@kindling/outside";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SigningKeys } from "../../../src/driver-api/identity/signing-keys.ts";

interface Pair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const RSA: Pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const EC: Pair = generateKeyPairSync("ec", { namedCurve: "P-256" });

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** A token signed with a key; its header may say anything. */
function token({ privateKey }: Pair, header: object, claims: object = { sub: "spark" }): string {
  const content = `${part(header)}.${part(claims)}`;
  const signature = sign("sha256", Buffer.from(content), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${content}.${signature.toString("base64url")}`;
}

function jwks(keys: Readonly<Record<string, Pair>>): object {
  return {
    keys: Object.entries(keys).map(([kid, { publicKey }]) => ({
      kid,
      use: "sig",
      ...publicKey.export({ format: "jwk" }),
    })),
  };
}

function keysFrom(fetchKeys: () => Promise<unknown>, clock = new ManualClock()): SigningKeys {
  return new SigningKeys({ clock, fetchKeys });
}

test("a token is good if the key that it names has signed it, and forged if another has", async () => {
  const keys = keysFrom(() => Promise.resolve(jwks({ rsa: RSA, ec: EC })));
  expect(await keys.look(token(RSA, { alg: "RS256", kid: "rsa" }))).toBe("good");
  expect(await keys.look(token(EC, { alg: "ES256", kid: "ec" }))).toBe("good");
  expect(await keys.look(token(EC, { alg: "ES256", kid: "rsa" }))).toBe("forged");
  expect(await keys.look(token(EC, { alg: "RS256", kid: "ec" }))).toBe("forged");
  for (const alg of ["none", "HS256", "ES512", undefined, 3])
    expect(await keys.look(token(EC, { alg, kid: "ec" })), String(alg)).toBe("forged");
  expect(await keys.look(token(EC, { alg: "ES256", kid: "other" }))).toBe("unknown");
  expect(await keys.look(token(EC, { alg: "ES256" }))).toBe("unknown");
});

test("no text but a token of the key passes", async () => {
  const keys = keysFrom(() => Promise.resolve(jwks({ ec: EC })));
  const good = token(EC, { alg: "ES256", kid: "ec" });
  expect(await keys.look(good)).toBe("good");
  const [header = "", claims = "", signature = ""] = good.split(".");
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.object(), async (text, object) => {
      const wrong = [text, `${header}.${part(object)}.${signature}`, `${header}.${claims}.${text}`];
      expect(await Promise.all(wrong.map((one) => keys.look(one)))).not.toContain("good");
    }),
  );
});

test("keys that cannot be had, or not be read, leave tokens unknown; new keys are fetched, and seldom", async () => {
  const clock = new ManualClock();
  let fetched = 0;
  let answer: () => Promise<unknown> = () => Promise.reject(new Error("403"));
  const keys = keysFrom(() => {
    fetched += 1;
    return answer();
  }, clock);
  const good = token(EC, { alg: "ES256", kid: "ec" });
  for (let count = 0; count < 10; count += 1) expect(await keys.look(good)).toBe("unknown");
  expect(fetched).toBe(1);
  for (const nonsense of [
    undefined,
    {},
    { keys: 3 },
    { keys: [3, {}, { kid: "ec" }, { kid: "ec", kty: "oct", k: "AA" }] },
  ]) {
    await clock.advance(31_000);
    answer = () => Promise.resolve(nonsense);
    expect(await keys.look(good)).toBe("unknown");
  }
  await clock.advance(31_000);
  answer = () => Promise.resolve(jwks({ ec: EC }));
  await keys.look(good);
  await clock.advance(0);
  expect(await keys.look(good)).toBe("good");
  // The old keys stay in use.
  answer = () => Promise.reject(new Error("away"));
  await clock.advance(31_000);
  expect(await keys.look(token(EC, { alg: "ES256", kid: "newer" }))).toBe("unknown");
  await clock.advance(0);
  expect(await keys.look(good)).toBe("good");
});

test("keys that take long are waited for a moment only", async () => {
  const clock = new ManualClock();
  const keys = keysFrom(() => new Promise(() => undefined), clock);
  const verdict = keys.look(token(EC, { alg: "ES256", kid: "ec" }));
  await clock.advance(2_000);
  expect(await verdict).toBe("unknown");
});
