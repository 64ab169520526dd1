import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatMemoryRuns,
  type MemoryRun,
  type MemorySize,
  MOST_MEMORY_RUNS,
  parseMemoryRuns,
  proposeMemory,
} from "../src/index.ts";

const ASKED: MemorySize = { heap: 4096, total: 4608 };

function run(changes: Partial<MemoryRun> = {}): MemoryRun {
  const at = "2026-11-30T05:00:00Z";
  return {
    at,
    hasSucceeded: true,
    executors: 10,
    asked: ASKED,
    began: ASKED,
    ended: ASKED,
    peak: undefined,
    ...changes,
  };
}

const SMALL = run({ peak: { heap: 1000, total: 1600 } });

describe("the next run", () => {
  test("begins as an earlier one had to end", () => {
    const ended = { heap: 4096, total: 6912 };
    expect(proposeMemory([run(), run({ ended })])).toEqual({ size: ended, runs: 1, isMeasured: false, saved: 0 });
  });

  test("begins smaller if three runs had room to spare, with a margin", () => {
    expect(proposeMemory([SMALL, SMALL])).toBeUndefined();
    expect(proposeMemory([SMALL, SMALL, SMALL])).toEqual({
      size: { heap: 1376, total: 1792 },
      runs: 3,
      isMeasured: true,
      saved: 28_160,
    });
  });

  test("is never smaller than the user says", () => {
    expect(proposeMemory([SMALL, SMALL, SMALL], 3000)?.size).toEqual({ heap: 1376, total: 3000 });
  });

  test("keeps a heap that was almost full, because nobody knows whether of garbage", () => {
    const full = run({ peak: { heap: 4000, total: 4500 } });
    expect(proposeMemory([full, full, full])).toBeUndefined();
  });

  test("is as the user asks again after one run that was too small", () => {
    const learned = { heap: 1216, total: 1920 };
    const bad = run({ began: learned, ended: { heap: 1824, total: 2528 }, peak: { heap: 1800, total: 2400 } });
    expect(proposeMemory([SMALL, SMALL, SMALL, bad])).toBeUndefined();
    expect(proposeMemory([SMALL, SMALL, SMALL, bad, SMALL, SMALL, SMALL])).toBeUndefined();
  });

  test("does not rest on runs with another configuration, or on failed ones", () => {
    const other = { heap: 2048, total: 2560 };
    expect(proposeMemory([SMALL, SMALL, SMALL, run({ asked: other, began: other, ended: other })])).toBeUndefined();
    const failed = { ...SMALL, hasSucceeded: false };
    expect(proposeMemory([failed, failed, failed])).toBeUndefined();
  });
});

test("without runs nothing is proposed", () => {
  expect(proposeMemory([])).toBeUndefined();
});

test("runs are read as they were written, and no more than the latest are kept", () => {
  const amount = fc.integer({ min: 1, max: 100_000 });
  const size = fc.record({ heap: amount, total: amount });
  const runs = fc.array(
    fc.record({
      at: fc.string(),
      hasSucceeded: fc.boolean(),
      executors: amount,
      asked: size,
      began: size,
      ended: size,
      peak: fc.option(size, { nil: undefined }),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(runs, (all) => {
      expect(parseMemoryRuns(formatMemoryRuns(all))).toEqual(all.slice(-MOST_MEMORY_RUNS));
    }),
  );
});

test("whatever the runs are, a proposal has room for heap and overhead, and is not below the floor", () => {
  const amount = fc.integer({ min: 400, max: 100_000 });
  const size = fc.record({ heap: amount, over: amount }).map(({ heap, over }) => ({ heap, total: heap + over }));
  const runs = fc.array(fc.record({ asked: size, ended: size, peak: size }), { maxLength: 6 });
  fc.assert(
    fc.property(runs, fc.integer({ min: 0, max: 10_000 }), (all, least) => {
      const found = proposeMemory(
        all.map(({ asked, ended, peak }) => run({ asked, began: asked, ended, peak })),
        least,
      );
      const { heap, total } = found?.size ?? { heap: 1, total: Math.max(2, least) };
      expect(total).toBeGreaterThan(heap);
      expect(total).toBeGreaterThanOrEqual(least);
    }),
  );
});

test.each(["", "no JSON", "{}", "[1, null, {}]", '[{"at":"x","executors":-1}]'])("%j has no runs", (text) => {
  expect(parseMemoryRuns(text)).toEqual([]);
});
