import fc from "fast-check";
import { expect, it } from "vitest";
import { countValues } from "../../src/index.ts";

/** How many values a document has, including itself and the names of members. */
function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return 1 + value.reduce<number>((sum, each) => sum + sizeOf(each), 0);
  if (typeof value !== "object" || value === null) return 1;
  return 1 + Object.values(value).reduce<number>((sum, each) => sum + 1 + sizeOf(each), 0);
}

it("counts at least as many values as there are, and not many more", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.boolean(), (value, indented) => {
      const counted = countValues(Buffer.from(JSON.stringify(value, undefined, indented ? 2 : 0)));
      expect(counted).toBeGreaterThanOrEqual(sizeOf(value));
      // An empty list or object may be counted as if it had a member.
      expect(counted).toBeLessThanOrEqual(2 * sizeOf(value));
    }),
  );
});

it("is not led astray by what stands in texts", () => {
  expect(countValues(Buffer.from(String.raw`"[[[,,,:::{{{ \" [[ \\"`))).toBe(1);
  expect(countValues(Buffer.from(String.raw`["\\",1]`))).toBe(3);
  expect(countValues(Buffer.from("[".repeat(1000)))).toBe(1001);
});
