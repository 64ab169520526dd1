import { ManualClock } from "@kindling/outside";
import { expect, test } from "vitest";
import { QuotaWaits } from "../../../src/controllers/executors/quota-waits.ts";

function waits(): { clock: ManualClock; tried: string[]; quota: QuotaWaits<string> } {
  const clock = new ManualClock();
  const tried: string[] = [];
  const quota = new QuotaWaits<string>(
    clock,
    () => 1,
    (one) => void tried.push(one),
  );
  return { clock, tried, quota };
}

test("the first one tries after a while, and when it gets in, all others of its namespace may", async () => {
  const { clock, tried, quota } = waits();
  for (const one of ["a", "b", "c"]) quota.wait("jobs", one);
  quota.wait("other", "x");
  await clock.advance(999);
  expect(tried).toEqual([]);
  await clock.advance(1);
  expect(tried).toEqual(["a", "x"]);
  quota.passed("jobs");
  expect(tried).toEqual(["a", "x", "b", "c"]);
  expect([quota.isFull("jobs"), quota.isFull("other")]).toEqual([false, true]);
});

test("they take turns in trying, less and less often", async () => {
  const { clock, tried, quota } = waits();
  for (const one of ["a", "b"]) quota.wait("jobs", one);
  await clock.advance(1_000);
  quota.stillFull("jobs", "a");
  await clock.advance(3_999);
  expect(tried).toEqual(["a"]);
  await clock.advance(1);
  expect(tried).toEqual(["a", "b"]);
});

test("when something has left the namespace, the first one tries at once", async () => {
  const { clock, tried, quota } = waits();
  quota.wait("jobs", "a");
  await clock.advance(1_000);
  quota.stillFull("jobs", "a");
  quota.roomMade("other");
  await clock.advance(500);
  expect(tried).toEqual(["a"]);
  quota.roomMade("jobs");
  await clock.advance(300);
  expect(tried).toEqual(["a", "a"]);
});

test("a namespace where nobody waits any more is open again", async () => {
  const { clock, tried, quota } = waits();
  quota.wait("jobs", "a");
  await clock.advance(60_000);
  expect(tried).toEqual(["a"]);
  expect([quota.isFull("jobs"), quota.size, clock.pending]).toEqual([false, 0, 0]);
});
