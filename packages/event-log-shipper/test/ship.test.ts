import { ManualClock } from "@kindling/outside";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, test } from "vitest";
import { RefusedError, type RecorderUploads, ship } from "../src/index.ts";

const AWAY: RecorderUploads = {
  state: () => Promise.reject(new Error("nobody answers")),
  append: () => Promise.reject(new Error("nobody answers")),
  complete: () => Promise.reject(new Error("nobody answers")),
};

interface Shipping {
  readonly clock: ManualClock;
  readonly said: string[];
  readonly ended: Promise<boolean>;
}

function shipTo(recorder: RecorderUploads, isDriverListening: boolean, signal?: AbortSignal): Shipping {
  const clock = new ManualClock(0);
  const said: string[] = [];
  const ended = ship({
    ...{ folder: scratchFolder().mkdir("events"), recorder, clock, random: { fraction: () => 1 } },
    isDriverListening: () => Promise.resolve(isDriverListening),
    signal: signal ?? new AbortController().signal,
    write: (line) => said.push(line),
  });
  return { clock, said, ended };
}

test("a recorder that is away is waited for, but not for ever: the pod has to end", async () => {
  const { clock, said, ended } = shipTo(AWAY, false);
  for (let seconds = 0; seconds <= 80; seconds++) await clock.advance(1_000);
  expect(await ended).toBe(false);
  expect(said).toEqual(["nobody answers"]);
});

test("while the driver works, it is waited for as long as it takes", async () => {
  const { clock, ended } = shipTo(AWAY, true);
  let isOver = false;
  void ended.then(() => (isOver = true));
  for (let seconds = 0; seconds < 200; seconds++) await clock.advance(1_000);
  expect(isOver).toBe(false);
});

test("a recorder that refuses for good is not asked again", async () => {
  const { ended } = shipTo({ ...AWAY, state: () => Promise.reject(new RefusedError("far too much")) }, true);
  expect(await ended).toBe(false);
});

test("a recorder that was away for a moment is asked again after a second, and then less and less often", async () => {
  const asked: number[] = [];
  const { clock } = shipTo(
    {
      ...AWAY,
      state() {
        asked.push(clock.monotonic());
        return Promise.reject(new Error("nobody answers"));
      },
    },
    true,
  );
  for (let seconds = 0; seconds < 40; seconds++) await clock.advance(1_000);
  expect(asked.slice(0, 7)).toEqual([0, 1_000, 3_000, 7_000, 15_000, 25_000, 35_000]);
});
