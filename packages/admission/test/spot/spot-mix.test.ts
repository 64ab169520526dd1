import fc from "fast-check";
import { expect, test } from "vitest";
import type { SpotRule } from "../../src/queue.ts";
import { nextCapacityType } from "../../src/spot/spot-mix.ts";

const rule = (share: number, onDemand: SpotRule["onDemand"] = []): SpotRule => ({ share, onDemand, fallback: true });

/** The kinds for so many executors, one after the other. */
function kinds(count: number, of: SpotRule, minimum = 0): string {
  const mix = { spot: 0, "on-demand": 0 };
  return Array.from({ length: count }, () => {
    const type = nextCapacityType(of, mix, minimum);
    mix[type] += 1;
    return type === "spot" ? "s" : "o";
  }).join("");
}

test("executors are on spot nodes in the share that is asked for", () => {
  expect(kinds(10, rule(0.7))).toBe("sosssossos");
  expect([kinds(4, rule(0)), kinds(4, rule(1)), kinds(4, rule(0.5))]).toEqual(["oooo", "ssss", "soso"]);
});

test("the minimum executors are on demand first, and the others are on spot nodes until the share is reached", () => {
  expect(kinds(10, rule(0.7, ["minExecutors"]), 2)).toBe("oossssssos".slice(0, 10));
  expect(kinds(6, rule(1, ["minExecutors"]), 2)).toBe("oossss");
});

test("while executors come and go, each one that comes brings the mix to within one executor of the share, or nearer to it", () => {
  const some = fc.array(fc.oneof(fc.constant("come"), fc.constantFrom("spot", "on-demand")), { maxLength: 200 });
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), some, (share, changes) => {
      const mix = { spot: 0, "on-demand": 0 };
      const distance = () => Math.abs(mix.spot - share * (mix.spot + mix["on-demand"]));
      const play = (change: string): boolean => {
        const before = distance();
        if (change === "spot" || change === "on-demand") mix[change] = Math.max(0, mix[change] - 1);
        else mix[nextCapacityType(rule(share), mix, 0)] += 1;
        return change !== "come" || distance() <= Math.max(before, 1) + 1e-9;
      };
      expect(changes.map(play)).not.toContain(false);
    }),
  );
});

test("arrivals alone never leave the share by more than half an executor", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 300 }), (share, count) => {
      const spot = kinds(count, rule(share)).replaceAll("o", "").length;
      expect(Math.abs(spot - share * count)).toBeLessThanOrEqual(0.5 + 1e-9);
    }),
  );
});
