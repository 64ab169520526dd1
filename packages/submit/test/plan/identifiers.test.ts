import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededIdentifiers } from "../../src/plan/identifiers.ts";

const seedOf = (text: string): Uint8Array => createHash("sha256").update(text).digest();
const NOW = Date.UTC(2026, 10, 21, 12);

describe("identifiers", () => {
  test("of one seed and purpose are always the same", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (seed, purpose) => {
        const [one, other] = [seededIdentifiers(seedOf(seed), undefined), seededIdentifiers(seedOf(seed), undefined)];
        expect(one.uuid(purpose)).toBe(other.uuid(purpose));
        expect(one.uniqueId(purpose)).toBe(other.uniqueId(purpose));
      }),
    );
  });

  test("of other seeds or purposes are others", () => {
    const found = ["a", "b", "c"].flatMap((seed) =>
      ["x", "y", "z", ""].flatMap((purpose) => {
        const ids = seededIdentifiers(seedOf(seed), undefined);
        return [ids.uuid(purpose), ids.uniqueId(purpose)];
      }),
    );
    expect(new Set(found).size).toBe(24);
  });

  test("are UUIDs of version 4, and unique ids in Spark's form", () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), (purpose, timed) => {
        const ids = seededIdentifiers(seedOf("s"), timed ? NOW : undefined);
        expect(ids.uuid(purpose)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(ids.uniqueId(purpose)).toMatch(/^[0-9a-f]{16}$/);
      }),
    );
  });

  test("have the time in them where there is one", () => {
    const [first, second] = [0, 1000].map((later) => seededIdentifiers(seedOf("s"), NOW + later).uniqueId("x"));
    expect(first?.slice(0, 6)).toBe(second?.slice(0, 6));
    expect(Number.parseInt(second?.slice(6) ?? "", 16) - Number.parseInt(first?.slice(6) ?? "", 16)).toBe(1000);
  });
});
