import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseBytes } from "../../src/index.ts";

describe("parseBytes", () => {
  test.each([
    ["2048", "m", 2048n],
    ["1g", "m", 1024n],
    ["2097152K", "m", 2048n],
    ["1023k", "m", 0n],
    ["1tb", "g", 1024n],
    [" 3MB ", "k", 3072n],
    ["5", "b", 5n],
    ["1p", "b", 1n << 50n],
  ] as const)("%j in %s is %d", (text, unit, value) => expect(parseBytes(text, unit)).toBe(value));

  test.each(["1.5g", "-1", "", "g", "1 g", "1x", "0x10", "99999999999999p", "2 g", "9223372036854775808b", "\u00a02g"])(
    "%j is no size",
    (text) => {
      expect(parseBytes(text, "b")).toBeUndefined();
    },
  );

  test("a size in its own unit is itself", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 40 }), fc.constantFrom("b", "k", "m", "g" as const), (size, unit) => {
        expect(parseBytes(`${size}${unit}`, unit)).toBe(BigInt(size));
      }),
    );
  });
});
