import fc from "fast-check";
import { expect, test } from "vitest";
import { ManualClock, sleep } from "../src/index.ts";

test("rings each timer at its own time, in order, and none that was cancelled", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ delay: fc.nat(1000), cancelled: fc.boolean() })),
      fc.nat(1000),
      async (timers, end) => {
        const clock = new ManualClock();
        const start = clock.now();
        const rung: { readonly index: number; readonly at: number }[] = [];
        for (const [index, { delay, cancelled }] of timers.entries()) {
          const cancel = clock.after(delay, () => rung.push({ index, at: clock.now() - start }));
          if (cancelled) cancel();
        }
        await clock.advance(end);

        const due = timers
          .map(({ delay, cancelled }, index) => ({ index, at: delay, cancelled }))
          .filter(({ at, cancelled }) => !cancelled && at <= end)
          .sort((a, b) => a.at - b.at || a.index - b.index);
        expect(rung).toEqual(due.map(({ index, at }) => ({ index, at })));
        expect(clock.now() - start).toBe(end);
        expect(clock.monotonic()).toBe(end);
        expect(clock.pending).toBe(timers.filter(({ delay, cancelled }) => !cancelled && delay > end).length);
      },
    ),
  );
});

test("lets what a timer sets off go on before the next timer", async () => {
  const clock = new ManualClock();
  const seen: number[] = [];
  const program = (async () => {
    for (const delay of [10, 20, 30]) {
      await sleep(clock, delay);
      seen.push(clock.monotonic());
    }
  })();
  await clock.advance(60);
  await program;
  expect(seen).toEqual([10, 30, 60]);
});

test("rings what is due at once where no promise may run in between", () => {
  const clock = new ManualClock();
  const seen: number[] = [];
  const again = (): void => {
    seen.push(clock.monotonic());
    clock.after(10, again);
  };
  clock.after(10, again);
  clock.advanceAtOnce(35);
  expect(seen).toEqual([10, 20, 30]);
  expect(clock.monotonic()).toBe(35);
});
