import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { add, amountText, dominantShare, fits, multiply, readResources, subtract } from "../src/resources.ts";

const some = fc.dictionary(fc.constantFrom("cpu", "memory", "nvidia.com/gpu"), fc.integer({ min: 0, max: 1000 }));

test("quantities are read as a node tells them", () => {
  expect(readResources({ cpu: "3920m", memory: "16Gi", pods: "110", "nvidia.com/gpu": "2" })).toEqual({
    cpu: 3920,
    memory: 17179869184,
    pods: 110,
    "nvidia.com/gpu": 2,
  });
});

test.each([
  ["cpu", 1500, "1.5"],
  ["cpu", 2000, "2"],
  ["memory", 4 * 2 ** 30, "4Gi"],
  ["memory", 1536 * 2 ** 20, "1536Mi"],
  ["memory", 1000, "1000"],
  ["memory", 0, "0"],
  ["pods", 1024, "1024"],
])("%s %d is written as %s", (name, amount, text) => expect(amountText(name, amount)).toBe(text));

describe("amounts", () => {
  test("that are added can be subtracted again", () => {
    fc.assert(
      fc.property(some, some, (a, b) => {
        const back = subtract(add(a, b), b);
        for (const name of Object.keys(back)) expect(back[name]).toBe(a[name] ?? 0);
      }),
    );
  });

  test("fit if nothing is missing after they are taken", () => {
    fc.assert(
      fc.property(some, some, (request, room) => {
        const left = Object.values(subtract(room, request));
        expect(fits(request, room)).toBe(left.every((amount) => amount >= 0));
      }),
    );
  });

  test("that nobody asks for may be overdrawn", () => {
    expect(fits({ cpu: 1 }, { cpu: 1, memory: -5 })).toBe(true);
  });
});

describe("the dominant share", () => {
  test("is that of the resource of which most is used", () => {
    expect(dominantShare({ cpu: 2, memory: 9 }, { cpu: 10, memory: 18 })).toBe(0.5);
  });

  test("passes by what there is none of", () => {
    expect(dominantShare({ cpu: 2, "nvidia.com/gpu": 1 }, { cpu: 10 })).toBe(0.2);
  });

  test("grows with what is used", () => {
    const total = { cpu: 1000, memory: 500, "nvidia.com/gpu": 10 };
    fc.assert(
      fc.property(some, fc.integer({ min: 2, max: 5 }), (used, times) => {
        expect(dominantShare(multiply(used, times), total)).toBeCloseTo(dominantShare(used, total) * times);
      }),
    );
  });
});
