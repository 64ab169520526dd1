import { describe, expect, test } from "vitest";
import { CollectionWatch } from "../../src/healing/collection-watch.ts";

function executor(id: string, minor: number, major: number, more: object = {}): unknown {
  return { id, isActive: true, peakMemoryMetrics: { MinorGCTime: minor, MajorGCTime: major }, ...more };
}

/** Readings that are ten seconds apart; each says how long an executor has collected so far. */
function looked(...collected: readonly number[]): readonly (readonly string[])[] {
  const watch = new CollectionWatch();
  return collected.map((ms, index) => watch.look([executor("1", 0, ms)], index * 10_000).map(({ id }) => id));
}

describe("an executor collects garbage without end", () => {
  test("if that took almost all of thirty seconds", () => {
    expect(looked(100, 9_900, 19_800, 29_700)).toEqual([[], [], [], ["1"]]);
  });

  test("whenever it begins", () => {
    expect(looked(0, 100, 200, 300, 400, 500, 10_000, 20_000, 30_000, 40_000).at(-1)).toEqual(["1"]);
  });

  test("and is told how long", () => {
    const watch = new CollectionWatch();
    watch.look([executor("7", 500, 500)], 0);
    expect(watch.look([executor("7", 1_500, 38_500)], 42_000)).toEqual([
      { id: "7", collectedMs: 39_000, ofMs: 42_000 },
    ]);
  });

  test("but not if it works, too", () => {
    expect(looked(0, 7_000, 14_000, 21_000, 28_000, 35_000, 42_000).flat()).toEqual([]);
  });

  test("but not if one long collection came to an end", () => {
    expect(looked(0, 0, 20_000, 20_100, 20_200, 20_300, 20_400).flat()).toEqual([]);
  });
});

test("executors that are gone, the driver, and what is no executor do not count", () => {
  const watch = new CollectionWatch();
  const all = (ms: number): readonly unknown[] => [
    executor("driver", 0, ms),
    executor("1", 0, ms, { isActive: false }),
    { id: "2", peakMemoryMetrics: { MajorGCTime: ms } },
    { id: "3" },
    null,
    1,
  ];
  watch.look(all(0), 0);
  expect(watch.look(all(60_000), 60_000)).toEqual([]);
});

test.each([undefined, null, {}, "text"])("%j has no executors", (body) => {
  expect(new CollectionWatch().look(body, 0)).toEqual([]);
});
