import { ManualClock } from "@kindling/outside";
import { expect, test } from "vitest";
import { History } from "../../../src/console/page/history.ts";

const executors = { waiting: 5, admitted: 1, pending: 2, running: 3, leaving: 1, keepers: 0 };

test("a sample is taken at intervals, and the oldest are forgotten", async () => {
  const clock = new ManualClock();
  let looks = 0;
  const look = (): { executors: typeof executors }[] => {
    looks += 1;
    return [{ executors: { ...executors, waiting: looks } }];
  };
  const history = new History({ clock, everyMs: 1000, most: 3, look });
  await clock.advance(5000);
  expect(history.samples.map(({ waiting }) => waiting)).toEqual([3, 4, 5]);
  history.stop();
  await clock.advance(5000);
  expect(looks).toBe(5);
});

test("a sample adds up the executors of all applications", async () => {
  const clock = new ManualClock();
  const history = new History({ clock, everyMs: 1000, most: 3, look: () => [{ executors }, { executors }] });
  await clock.advance(1000);
  expect(history.samples).toEqual([{ at: clock.now(), running: 8, starting: 6, waiting: 10 }]);
});
