import fc from "fast-check";
import { expect, it } from "vitest";
import { measureJson } from "../../src/index.ts";

const ALL = { values: Infinity, depth: Infinity };

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

it("says how deep a document is", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      expect(measureJson(JSON.stringify(value), ALL).depth).toBe(depthOf(value));
    }),
  );
});

it("stops where a document is deeper than is of interest", () => {
  expect(measureJson("[".repeat(1_000_000), { values: Infinity, depth: 10 }).depth).toBe(11);
  expect(measureJson(`"${"[".repeat(100)}"`, ALL).depth).toBe(0);
});
