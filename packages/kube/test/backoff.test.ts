import { expect, test } from "vitest";
import { createBackoff } from "../src/index.ts";
import { ManualClock } from "@kindling/outside";

test("waits double up to a cap, keep apart by chance, and start again after a calm", () => {
  const clock = new ManualClock();
  const random = { value: 1 };
  const backoff = createBackoff({ baseMs: 100, capMs: 1_000, resetAfterMs: 60_000, clock, random: () => random.value });
  expect([1, 2, 3, 4, 5, 6].map(() => backoff.next())).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  random.value = 0;
  expect(backoff.next()).toBe(500);
  clock.advanceAtOnce(60_001);
  expect(backoff.next()).toBe(50);
  expect(backoff.next()).toBe(100);
  backoff.reset();
  expect(backoff.next()).toBe(50);
});
