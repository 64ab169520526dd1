import { sparkConf } from "@kindling/core-spec";
import { describe, expect, test } from "vitest";
import { schedulerSettings, type SchedulerSettings } from "../../src/index.ts";

function settings(entries: Readonly<Record<string, string>> = {}, sparkVersion = "3.5.9"): SchedulerSettings {
  return schedulerSettings(sparkConf(entries, { sparkVersion }));
}

test("without any key they are Spark's defaults", () => {
  expect(settings()).toMatchObject({
    allocator: {
      batchDelayMs: 1_000,
      batchSize: 5,
      maxPendingPods: 2 ** 31 - 1,
      podCreationTimeoutMs: 600_000,
      executorIdleTimeoutMs: 60_000,
      deleteOnTermination: true,
    },
    lifecycle: {
      eventProcessingIntervalMs: 1_000,
      missingPodDetectDeltaMs: 30_000,
      deleteGracePeriodMs: 5_000,
      maxExecutorFailures: 3,
      failuresValidityMs: undefined,
    },
    sources: { watches: true, polls: true, pollingIntervalMs: 30_000, pollingResourceVersion: "newest" },
    initialExecutors: 2,
  });
});

test.each([
  { version: "3.5.9", size: 5 },
  { version: "4.1.1", size: 10 },
])("a batch of Spark $version has $size executors", ({ version, size }) => {
  expect(settings({}, version).allocator.batchSize).toBe(size);
});

test("an executor is given up after five rounds at the earliest", () => {
  const given = {
    "spark.kubernetes.allocation.batch.delay": "10s",
    "spark.kubernetes.allocation.executor.timeout": "20s",
  };
  expect(settings(given).allocator.podCreationTimeoutMs).toBe(50_000);
});

describe("how many executors there are at first", () => {
  const DYNAMIC = { "spark.dynamicAllocation.enabled": "true" };

  test.each<[Record<string, string>, number]>([
    [{ "spark.executor.instances": "7" }, 7],
    [{ ...DYNAMIC }, 0],
    [{ ...DYNAMIC, "spark.dynamicAllocation.minExecutors": "3" }, 3],
    [{ ...DYNAMIC, "spark.dynamicAllocation.minExecutors": "3", "spark.dynamicAllocation.initialExecutors": "5" }, 5],
    [{ ...DYNAMIC, "spark.dynamicAllocation.minExecutors": "3", "spark.executor.instances": "9" }, 9],
  ])("%o: %i", (given, want) => {
    expect(settings(given).initialExecutors).toBe(want);
  });
});

test.each<[Record<string, string>, number]>([
  [{ "spark.executor.maxNumFailures": "1" }, 1],
  [{ "spark.executor.instances": "10" }, 20],
  [{ "spark.executor.instances": "1" }, 3],
  [{ "spark.dynamicAllocation.enabled": "true", "spark.dynamicAllocation.maxExecutors": "50" }, 100],
])("with %o, more than %i failed executors are too many", (given, want) => {
  expect(settings(given).lifecycle.maxExecutorFailures).toBe(want);
});

test("a value that cannot be read names its key", () => {
  expect(() => settings({ "spark.kubernetes.allocation.batch.size": "many" })).toThrow(
    /spark\.kubernetes\.allocation\.batch\.size/,
  );
});
