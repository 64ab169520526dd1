import fc from "fast-check";
import { expect, test } from "vitest";
import { nodeBackoffs, type ExecutorEnd } from "../src/node-backoff.ts";

const settings = { threshold: 2, firstMs: 100, longestMs: 1000, forgetMs: 10_000, applicationNodes: 3 };

const killed = (at: number, node = "n1", application = "a"): ExecutorEnd => ({ application, node, at, killed: true });
const well = (at: number, node = "n1"): ExecutorEnd => ({ application: "a", node, at, killed: false });

const until = (ends: readonly ExecutorEnd[], now: number) => Object.fromEntries(nodeBackoffs(ends, settings, now));

test("a node that killed one executor goes on", () => {
  expect(until([killed(10)], 20)).toEqual({});
});

test("a node that killed some gets no more for a while, and then again", () => {
  expect(until([killed(10), killed(20)], 30)).toEqual({ n1: 120 });
  expect(until([killed(10), killed(20)], 120)).toEqual({});
});

test("each further one doubles the while, up to the longest", () => {
  const ends = [10, 20, 30, 40, 50, 60].map((at) => killed(at));
  expect(until(ends.slice(0, 3), 60)).toEqual({ n1: 230 });
  expect(until(ends.slice(0, 4), 60)).toEqual({ n1: 440 });
  expect(until(ends, 60)).toEqual({ n1: 1060 });
});

test("one that ended well makes good what was before", () => {
  expect(until([killed(10), well(15), killed(20)], 30)).toEqual({});
});

test("what is long ago is forgotten", () => {
  expect(until([killed(10), killed(10_005)], 10_010)).toEqual({});
});

test("nodes count by themselves", () => {
  expect(until([killed(10, "n1"), killed(20, "n2"), killed(30, "n2")], 40)).toEqual({ n2: 130 });
});

test("an application whose executors are killed wherever they run blames no node", () => {
  const ends = ["n1", "n2", "n3"].flatMap((node, index) => [
    killed(index, node, "greedy"),
    killed(index + 10, node, "greedy"),
  ]);
  expect(until(ends, 20)).toEqual({});
  expect(until([...ends, killed(15, "n2", "b"), killed(16, "n2", "b")], 20)).toEqual({ n2: 116 });
});

test("the order in which ends are told does not matter, and no while is longer than the longest", () => {
  const ends = fc.array(
    fc.record({
      application: fc.constantFrom("a", "b"),
      node: fc.constantFrom("n1", "n2", "n3", "n4"),
      at: fc.integer({ min: 0, max: 5000 }),
      killed: fc.boolean(),
    }),
    { maxLength: 30 },
  );
  const distinct = ends.filter((all) => new Set(all.map(({ at }) => at)).size === all.length);
  fc.assert(
    fc.property(distinct, fc.integer({ min: 5000, max: 6000 }), (all, now) => {
      const told = until(all, now);
      expect(until(all.toReversed(), now)).toEqual(told);
      for (const at of Object.values(told)) {
        expect(at).toBeGreaterThan(now);
        expect(at).toBeLessThanOrEqual(now + settings.longestMs);
      }
    }),
  );
});
