import fc from "fast-check";
import { expect, test } from "vitest";
import { hiding, secretsIn } from "../../src/index.ts";

const SECRET = "eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOlsia2luZGxpbmciXX0.c2lnbmF0dXJl";

test.each([
  ["whole", `got ${SECRET} from you`, "got *** from you"],
  ["with its scheme", `authorization: Bearer ${SECRET}`, "authorization: Bearer ***"],
  ["twice", `${SECRET}${SECRET}`, "******"],
  ["cut at its end", `got ${SECRET.slice(0, 30)}`, "got ***"],
  ["cut at its beginning", `${SECRET.slice(-20)} it was`, "*** it was"],
  ["in two pieces", `${SECRET.slice(0, 20)} ${SECRET.slice(20)}`, "*** ***"],
  ["not at all", "the token is wrong", "the token is wrong"],
])("a secret that is there %s is taken out", (_, text, shown) => {
  expect(hiding(...secretsIn(`Bearer ${SECRET}`))(text)).toBe(shown);
});

test("a short secret is taken out as a whole", () => {
  expect(hiding(...secretsIn("Bearer abc"))("abc, ab and bc")).toBe("***, ab and bc");
  expect(hiding(...secretsIn("raw-secret"))("a raw-secret without a scheme")).toBe("a *** without a scheme");
});

test("sixteen characters of a secret never stay together, and other texts stay as they are", () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9._-]{17,80}$/);
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), fc.nat(), fc.nat(), (value, before, after, from, length) => {
      const start = from % (value.length - 16);
      const part = value.slice(start, start + 16 + (length % value.length));
      const shown = hiding(value)(before + part + after);
      for (let at = 0; at + 16 <= value.length; at++) expect(shown).not.toContain(value.slice(at, at + 16));
      expect(hiding(value)(before)).toBe(before);
    }),
  );
});
