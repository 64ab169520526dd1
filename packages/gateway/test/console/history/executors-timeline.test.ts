import fc from "fast-check";
import type { PodLife } from "@kindling/recorder-client";
import { expect, test } from "vitest";
import { countsOverTime, executorsTimeline } from "../../../src/console/history/executors-timeline.ts";
import { anExecutor } from "./sample-history.ts";

const lives = (...spans: readonly (readonly [started: number | undefined, ended: number])[]): readonly PodLife[] =>
  spans.map(([started, ended], index) => {
    const { started: _, ...life } = anExecutor(index, { ended });
    return started === undefined ? life : { ...life, started };
  });

test("each part of the time shows how many executors there were at once, at most", () => {
  const period = { from: 0, to: 100 };
  expect(countsOverTime(lives([0, 100], [20, 45]), period, 10)).toEqual({
    counts: [1, 1, 2, 2, 2, 1, 1, 1, 1, 1],
    most: 2,
  });
  // The second one takes the room of the first one at the same moment.
  expect(countsOverTime(lives([0, 50], [50, 100]), period, 4)).toEqual({ counts: [1, 1, 1, 1], most: 1 });
  // Short ones are seen; what never had a node, or ended before it began, is not.
  expect(countsOverTime(lives([51, 52], [undefined, 90], [80, 70]), period, 4)).toEqual({
    counts: [0, 0, 1, 0],
    most: 1,
  });
  // Clocks of nodes differ: an executor may seem to be older than its driver.
  expect(countsOverTime(lives([-50, 10]), period, 2)).toEqual({ counts: [1, 0], most: 1 });
  expect(countsOverTime(lives([0, 1]), { from: 5, to: 5 }, 2).counts.length).toBe(2);
});

test("the most of all parts is never more than all executors, and never less than one of them", () => {
  const span = fc.tuple(fc.nat(1000), fc.nat(1000));
  fc.assert(
    fc.property(fc.array(span, { minLength: 1, maxLength: 30 }), (spans) => {
      const real = lives(...spans.map(([start, length]) => [start, start + length + 1] as const));
      const { counts, most } = countsOverTime(real, { from: 0, to: 2_001 }, 40);
      expect(most).toBe(Math.max(...counts));
      const atOnce = real.map(
        ({ started = 0 }) => real.filter((one) => (one.started ?? 0) <= started && one.ended > started).length,
      );
      expect(most).toBe(Math.max(...atOnce));
    }),
  );
});

test("the drawing says in words what it shows, and has few points for many executors", () => {
  const many = Array.from({ length: 20_000 }, (_, id) => anExecutor(id, { started: id, ended: id + 500 }));
  const { text } = executorsTimeline(many, many.slice(0, 5_000), { from: 0, to: 20_500 });
  expect(text).toContain("at most 500 at once, 20000 in all, 5000 of them lost");
  expect(text.length).toBeLessThan(40_000);
  expect(executorsTimeline(lives([undefined, 3]), [], { from: 0, to: 10 }).text).toContain("No executor had a node");
});
