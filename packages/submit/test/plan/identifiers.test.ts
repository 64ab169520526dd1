import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Identifiers } from "@kindling/core-spec";
import { seededIdentifiers, seedOf } from "../../src/plan/identifiers.ts";

function idsOf(seed: string, epochMillis?: number): Identifiers {
  return seededIdentifiers({ ...seedOf(seed), epochMillis });
}

const NOW = Date.UTC(2026, 10, 21, 12);

describe("identifiers", () => {
  test("of one seed and purpose are always the same", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (seed, purpose) => {
        const [one, other] = [idsOf(seed), idsOf(seed)];
        expect(one.uuid(purpose)).toBe(other.uuid(purpose));
        expect(one.uniqueId(purpose)).toBe(other.uniqueId(purpose));
      }),
    );
  });

  test("of other seeds or purposes are others", () => {
    const found = ["a", "b", "c"].flatMap((seed) =>
      ["x", "y", "z", ""].flatMap((purpose) => {
        const ids = idsOf(seed);
        return [ids.uuid(purpose), ids.uniqueId(purpose)];
      }),
    );
    expect(new Set(found).size).toBe(24);
  });

  test("are UUIDs of version 4, and unique ids in Spark's form", () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), (purpose, timed) => {
        const ids = idsOf("s", timed ? NOW : undefined);
        expect(ids.uuid(purpose)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(ids.uniqueId(purpose)).toMatch(/^[0-9a-f]{16}$/);
      }),
    );
  });

  test("of a submission id are what they have always been, so that its repetition finds its objects", () => {
    const ids = idsOf("etl-2026-11-21 é");
    expect(ids.uniqueId("resource-names")).toBe("e1af098fecf7a04c");
    expect(ids.uuid("application").replaceAll("-", "")).toBe("14e496c2ec7944e3ae6fb42785dc2595");
  });

  test("have the time in them where there is one", () => {
    const [first, second] = [0, 1000].map((later) => idsOf("s", NOW + later).uniqueId("x"));
    expect(first?.slice(0, 6)).toBe(second?.slice(0, 6));
    expect(Number.parseInt(second?.slice(6) ?? "", 16) - Number.parseInt(first?.slice(6) ?? "", 16)).toBe(1000);
  });
});
