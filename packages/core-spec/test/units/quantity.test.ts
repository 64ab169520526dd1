import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareQuantities, parseQuantity, type Quantity } from "../../src/index.ts";

const quantity = (text: string): Quantity => {
  const parsed = parseQuantity(text);
  if (parsed === undefined) throw new Error(`${text} is no quantity`);
  return parsed;
};

describe("quantities", () => {
  test.each([
    ["1", "1000m"],
    ["0.5", "500m"],
    [".5", "500m"],
    ["1Ki", "1024"],
    ["1k", "1000"],
    ["1e3", "1k"],
    ["1E3", "1k"],
    ["2Gi", "2147483648"],
    ["-1", "-1000m"],
  ])("%s equals %s", (a, b) => expect(compareQuantities(quantity(a), quantity(b))).toBe(0));

  test.each([
    ["1G", "1Gi"],
    ["999m", "1"],
    ["1n", "1u"],
  ])("%s is less than %s", (a, b) => {
    expect(compareQuantities(quantity(a), quantity(b))).toBeLessThan(0);
    expect(compareQuantities(quantity(b), quantity(a))).toBeGreaterThan(0);
  });

  test.each(["", "lots", "1.2.3", "1 Gi", "1gi", "1KiB", "0x1", "1e", "e3", "--1", "1e999"])("%j is none", (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });

  test("order follows the numbers, whatever the suffix", () => {
    const suffixed = fc.tuple(fc.integer({ min: 0, max: 1_000_000 }), fc.constantFrom("", "m", "k", "Ki", "M", "Mi"));
    const factor: Readonly<Record<string, number>> = { "": 1, m: 0.001, k: 1000, Ki: 1024, M: 1e6, Mi: 1048576 };
    fc.assert(
      fc.property(suffixed, suffixed, ([a, s], [b, t]) => {
        const order = Math.sign(compareQuantities(quantity(`${a}${s}`), quantity(`${b}${t}`)));
        expect(order).toBe(Math.sign(a * (factor[s] ?? 0) - b * (factor[t] ?? 0)));
      }),
    );
  });
});
