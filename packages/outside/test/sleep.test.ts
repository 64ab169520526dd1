import { expect, test } from "vitest";
import { ManualClock, sleep, systemClock } from "../src/index.ts";

test("wakes when a signal aborts, and leaves no timer behind", async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const slept = sleep(clock, 1000, undefined, controller.signal);
  controller.abort();
  await slept;
  expect(clock.pending).toBe(0);
});

test("does not begin to sleep when a signal has aborted before", async () => {
  const clock = new ManualClock();
  await sleep(clock, 1000, AbortSignal.abort());
  expect(clock.pending).toBe(0);
});

test("keeps a delay of more than 2^31 milliseconds waiting", async () => {
  let rung = false;
  const cancel = systemClock.after(2 ** 40, () => (rung = true));
  await new Promise((resolve) => setTimeout(resolve, 5));
  cancel();
  expect(rung).toBe(false);
});
