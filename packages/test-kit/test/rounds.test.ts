import { expect, test } from "vitest";
import { ALL_ROUNDS, someRounds } from "../src/rounds.ts";

const HUNDRED = Array.from({ length: 100 }, (_, index) => index);

test.runIf(ALL_ROUNDS)("all rounds are done where all are asked for", () => {
  expect(someRounds("kills", HUNDRED)).toEqual(HUNDRED);
});

test.skipIf(ALL_ROUNDS)("a tenth of the rounds is done, in their order, and the same for the same seed", () => {
  const some = someRounds("kills", HUNDRED);
  expect(new Set(some).size).toBe(10);
  expect(some).toEqual(some.toSorted((a, b) => a - b));
  expect(someRounds("kills", HUNDRED)).toEqual(some);
});

test.skipIf(ALL_ROUNDS)("of few rounds one is done, and of none, none", () => {
  expect(["before", "after"]).toContain(someRounds("moments", ["before", "after"])[0]);
  expect(someRounds("moments", ["before", "after"])).toHaveLength(1);
  expect(someRounds("nothing", [])).toEqual([]);
});

test.skipIf(ALL_ROUNDS)("rounds of several things are drawn apart, and each round has its turn", () => {
  const drawn = Array.from({ length: 200 }, (_, index) => someRounds(`thing ${index}`, HUNDRED)).flat();
  expect(new Set(drawn).size).toBe(100);
});
