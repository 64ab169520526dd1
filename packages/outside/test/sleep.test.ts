import { expect, onTestFinished, test } from "vitest";
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

test("many may sleep with the same signal, and Node warns of nothing", async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  const controller = new AbortController();
  const all = Array.from({ length: 20 }, () => sleep(new ManualClock(), 1000, controller.signal));
  // Warnings come in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort();
  await Promise.all(all);
  expect(warnings).toEqual([]);
});

test("keeps a delay of more than 2^31 milliseconds waiting", async () => {
  let rung = false;
  const cancel = systemClock.after(2 ** 40, () => (rung = true));
  await new Promise((resolve) => setTimeout(resolve, 5));
  cancel();
  expect(rung).toBe(false);
});
