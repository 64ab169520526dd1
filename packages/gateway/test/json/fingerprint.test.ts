import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fingerprint } from "../../src/json/fingerprint.ts";

test("equal values have the same fingerprint, whatever the order of their members, and others another", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(fingerprint(reversed(one))).toBe(fingerprint(one));
      expect(fingerprint(one) === fingerprint(other)).toBe(isDeepStrictEqual(one, other));
    }),
  );
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]));
}
