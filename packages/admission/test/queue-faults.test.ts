import fc from "fast-check";
import { expect, test } from "vitest";
import { queueFaults } from "../src/queue-faults.ts";
import { leafQueues, type Queue } from "../src/queue.ts";
import { someQueues } from "./fixtures/arbitraries.ts";
import { cpus, queue, queues } from "./fixtures/sentences.ts";

test.each<[string, Queue, string, string]>([
  ["no queue at all", queues(), "", "children"],
  ["a weight of 0", queues(queue("a", { weight: 0 })), "a", "weight"],
  ["a weight that is no number", queues(queue("a", { weight: Number.NaN })), "a", "weight"],
  ["a guarantee below 0", queues(queue("a", { guarantee: cpus(-1) })), "a", "guarantee"],
  ["a ceiling that is no number", queues(queue("a", { ceiling: cpus(Number.NaN) })), "a", "ceiling"],
  ["two of a name", queues(queue("a"), queue("b"), queue("a")), "a", "name"],
  ["a name with a dot", queues(queue("a.b")), "a.b", "name"],
  ["no name", queues(queue("")), "", "name"],
  ["a guarantee above the ceiling", queues(queue("a", { guarantee: cpus(3), ceiling: cpus(2) })), "a", "ceiling"],
  [
    "children guaranteed more than their parent",
    queues(
      queue("a", {
        guarantee: cpus(3),
        children: [queue("x", { guarantee: cpus(2) }), queue("y", { guarantee: cpus(2) })],
      }),
    ),
    "a",
    "guarantee",
  ],
  [
    "children guaranteed more than the ceiling of their parent",
    queues(queue("a", { ceiling: cpus(1), children: [queue("x", { guarantee: cpus(2) })] })),
    "a",
    "ceiling",
  ],
  [
    "a fault further down",
    queues(queue("a", { children: [queue("b", { children: [queue("c", { weight: -1 })] })] })),
    "a.b.c",
    "weight",
  ],
])("%s is found, and where", (_, root, path, field) => {
  expect(queueFaults(root)).toEqual([{ path, field, message: expect.any(String) }]);
});

test("every fault is told, with its numbers", () => {
  const root = queues(queue("a", { weight: -2, guarantee: cpus(3), ceiling: cpus(2) }), queue("b"), queue("b"));
  expect(queueFaults(root).map(({ path, message }) => `${path}: ${message}`)).toEqual([
    "a: weight -2 is not a number above 0",
    "a: ceiling of cpu: 2 is less than the guarantee, 3",
    "b: there are two queues b: give one of them another name",
  ]);
});

test("the same name may be used under different parents", () => {
  const twice = queues(queue("a", { children: [queue("x")] }), queue("b", { children: [queue("x")] }));
  expect(queueFaults(twice)).toEqual([]);
  expect(leafQueues(twice)).toEqual(["a.x", "b.x"]);
});

test("queues that contradict nothing have no fault", () => {
  fc.assert(
    fc.property(someQueues, (root) => {
      expect(queueFaults(root)).toEqual([]);
    }),
  );
});
