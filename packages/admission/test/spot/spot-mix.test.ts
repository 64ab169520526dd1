import fc from "fast-check";
import { expect, test } from "vitest";
import type { SpotRule } from "../../src/queue.ts";
import { excessType, nextCapacityType } from "../../src/spot/spot-mix.ts";

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

test("a mix is off if it differs by more than one executor", () => {
  const excess = (spot: number, onDemand: number, of = rule(0.5), minimum = 0) =>
    excessType(of, { spot, "on-demand": onDemand }, minimum);
  expect([excess(5, 5), excess(6, 4), excess(7, 3), excess(3, 7), excess(3, 0), excess(2, 0)]).toEqual([
    undefined,
    undefined,
    "spot",
    "on-demand",
    "spot",
    undefined,
  ]);
  expect(excess(0, 2, rule(1, ["minExecutors"]), 2)).toBeUndefined();
  expect(excess(0, 5, rule(1, ["minExecutors"]), 2)).toBe("on-demand");
});

test("a mix that arrivals make is never off", () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const minimum = fc.integer({ min: 0, max: 9 });
  fc.assert(
    fc.property(share, minimum, fc.integer({ min: 0, max: 60 }), (of, least, count) => {
      const wish = rule(of, ["minExecutors"]);
      const made = kinds(count, wish, least);
      const spot = made.replaceAll("o", "").length;
      expect(excessType(wish, { spot, "on-demand": count - spot }, least)).toBeUndefined();
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
