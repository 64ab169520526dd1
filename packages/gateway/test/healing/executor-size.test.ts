import type { KubeObject } from "@kindling/kube-objects";
import fc from "fast-check";
import { expect, test } from "vitest";
import { executorSize, safer, withSize } from "../../src/healing/executor-size.ts";
import { executorContainer } from "../../src/spark/executor-container.ts";
import { executorPod, SPARK } from "./ended-executor.ts";

test("the size of an executor is read from the pod that Spark makes", () => {
  expect(executorContainer(executorPod())).toBe(SPARK);
  expect(executorSize(executorPod({ heap: "2048m", limit: "2816Mi", slots: "4" }))).toEqual({
    heap: 2048,
    total: 2816,
    slots: 4,
  });
  expect(executorSize(executorPod({ limit: "2Gi" }))?.total).toBe(2048);
  expect(executorSize(executorPod({ limit: "1500M" }))?.total).toBe(1431);
});

test.each([
  { heap: "1g" },
  { heap: "" },
  { limit: "much" },
  { slots: "0" },
  { slots: "1.5" },
  { heap: "512m", limit: "4Mi" },
])("an executor that does not look like Spark's has no size: %o", (options) => {
  expect(executorSize(executorPod(options))).toBeUndefined();
});

test("a pod that is not Spark's at all has no size", () => {
  const pod = { ...executorPod(), spec: { containers: [{ name: "a" }] } } as KubeObject;
  expect([executorContainer(pod), executorSize(pod)]).toEqual(["a", undefined]);
});

test("what is written can be read, and nothing else changes", () => {
  const amount = fc.integer({ min: 1, max: 1_000_000 });
  const size = fc
    .record({ heap: amount, beside: amount, slots: fc.integer({ min: 1, max: 512 }) })
    .map(({ heap, beside, ...rest }) => ({ heap, total: heap + beside, ...rest }));
  const { heap, total, slots } = { heap: 1024, total: 1408, slots: 2 };
  fc.assert(
    fc.property(size, (one) => {
      const written = withSize(executorPod(), one);
      expect(executorSize(written)).toEqual(one);
      expect(withSize(written, { heap, total, slots })).toEqual(executorPod());
    }),
  );
});

test("the safer of two sizes has more memory and fewer tasks", () => {
  expect(safer({ heap: 1, total: 5, slots: 4 }, { heap: 2, total: 3, slots: 1 })).toEqual({
    heap: 2,
    total: 5,
    slots: 1,
  });
});
