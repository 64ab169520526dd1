import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideRestart, type Ended } from "../../../src/controllers/driver-restarts/decide-restart.ts";
import type { DriverEnd } from "../../../src/controllers/driver-restarts/driver-end.ts";

const FAILED: DriverEnd = { how: "failed", words: "exit code 1", at: 0, ranMs: 1000 };

function ended(changes: {
  readonly when?: "onFailure" | "always";
  readonly end?: Partial<DriverEnd>;
  readonly counted?: number;
  readonly isOwned?: boolean;
}): Ended {
  const { when = "onFailure", end, counted = 0, isOwned = false } = changes;
  const wish = { when, maxRestarts: 5, backoffSeconds: 10, resetAfterSeconds: 3600 };
  return { wish, end: { ...FAILED, ...end }, counted, isOwned };
}

describe("whether another driver follows", () => {
  test.each<[string, boolean, Parameters<typeof ended>[0]]>([
    ["one that failed", true, {}],
    ["one that failed, of an owner", true, { isOwned: true }],
    ["one that has done its work", false, { end: { how: "succeeded" } }],
    ["one that somebody deleted", false, { end: { how: "deleted" } }],
    ["one that has done its work, always", true, { when: "always", end: { how: "succeeded" } }],
    ["one that somebody deleted, always", true, { when: "always", end: { how: "deleted" } }],
    ["one that its owner's end deleted, always", false, { when: "always", end: { how: "deleted" }, isOwned: true }],
    ["one for which it is the last time", true, { counted: 4 }],
    ["one that failed too often", false, { counted: 5 }],
    ["one that failed too often, but ran well", true, { counted: 5, end: { ranMs: 3_600_000 } }],
  ])("%s: %s", (_, follows, changes) => {
    expect(decideRestart(ended(changes)).kind).toBe(follows ? "again" : "none");
  });
});

test("the pause doubles, up to a quarter of an hour", () => {
  const pauses = [0, 1, 2, 3, 7, 40].map((counted) => {
    const { wish, ...rest } = ended({ counted });
    const decision = decideRestart({ ...rest, wish: { ...wish, maxRestarts: 100 } });
    return decision.kind === "again" ? decision.pauseMs / 1000 : undefined;
  });
  expect(pauses).toEqual([10, 20, 40, 80, 900, 900]);
});

test("however drivers end, there are no more restarts in a row than allowed, and each pause has its bounds", () => {
  const how = fc.constantFrom("succeeded" as const, "failed" as const, "deleted" as const);
  const runs = fc.array(fc.record({ how, ranMs: fc.integer({ min: 0, max: 20_000 }) }), { maxLength: 40 });
  const limits = fc.record({
    when: fc.constantFrom("onFailure" as const, "always" as const),
    maxRestarts: fc.integer({ min: 1, max: 9 }),
    backoffSeconds: fc.integer({ min: 1, max: 5000 }),
    resetAfterSeconds: fc.integer({ min: 1, max: 15 }),
  });
  fc.assert(
    fc.property(limits, runs, (wish, all) => {
      let counted = 0;
      let inRow = 0;
      for (const run of all) {
        const decision = decideRestart({ wish, end: { ...FAILED, ...run }, counted, isOwned: false });
        if (decision.kind === "none") break;
        inRow = run.ranMs >= wish.resetAfterSeconds * 1000 ? 1 : inRow + 1;
        counted = decision.counted;
        expect(counted).toBe(inRow);
        expect(inRow).toBeLessThanOrEqual(wish.maxRestarts);
        expect(decision.pauseMs).toBeGreaterThanOrEqual(wish.backoffSeconds * 1000);
        expect(decision.pauseMs).toBeLessThanOrEqual(Math.max(wish.backoffSeconds * 1000, 900_000));
      }
    }),
  );
});
