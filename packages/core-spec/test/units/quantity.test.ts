import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addQuantities, compareQuantities, formatQuantity, parseQuantity, type Quantity } from "../../src/index.ts";

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

  test.each([
    ["0", "0"],
    ["0.5", "500m"],
    ["1500m", "1500m"],
    ["2.0", "2"],
    ["1u", "1m"],
    ["1408Mi", "1408Mi"],
    ["2Gi", "2048Mi"],
    ["1k", "1000"],
    ["1G", "1000000000"],
  ])("%s is written %s", (text, written) => expect(formatQuantity(quantity(text))).toBe(written));

  test("what is written reads as the same, to a thousandth, and sums are those of the numbers", () => {
    const thousandths = fc.integer({ min: 0, max: 2 ** 50 });
    fc.assert(
      fc.property(thousandths, fc.constantFrom("m", "", "Mi"), thousandths, (a, suffix, b) => {
        const [one, other] = [quantity(`${a}${suffix}`), quantity(`${b}m`)];
        expect(compareQuantities(quantity(formatQuantity(one)), one)).toBe(0);
        const factor = { m: 1n, "": 1000n, Mi: 1000n << 20n }[suffix] ?? 0n;
        expect(compareQuantities(addQuantities(one, other), quantity(`${BigInt(a) * factor + BigInt(b)}m`))).toBe(0);
      }),
    );
  });

  test.each([["9".repeat(1_000_000)], [`${"9".repeat(200_000)}x`], [`0.${"1".repeat(63)}`]])(
    "a text that nobody writes is none, and takes no time",
    (text) => {
      const start = performance.now();
      expect(parseQuantity(text)).toBeUndefined();
      expect(performance.now() - start).toBeLessThan(50);
    },
  );
});
