import { describe, expect, test } from "vitest";
import { gatewayDriver, KEY } from "./gateway-driver.ts";

const PREFIX = "spark.kubernetes.executor.podNamePrefix";
const EARLY = "scheduler.kindling/early-executors";

interface Told {
  readonly early: string | undefined;
  readonly prefix: string | undefined;
}

function told(conf: Readonly<Record<string, string>>): Told {
  const { driverPod, driverSparkConf } = gatewayDriver({ conf });
  return { early: driverPod.metadata?.annotations?.[EARLY], prefix: driverSparkConf[PREFIX] };
}

describe("executors may be made before the driver asks for them", () => {
  test.each<[string, Record<string, string>, string]>([
    ["by default", {}, "2"],
    ["as many as there shall be", { "spark.executor.instances": "7" }, "7"],
    [
      "all, if the driver waits for some of them",
      { "spark.executor.instances": "7", [`${KEY}.minExecutors`]: "3" },
      "7",
    ],
  ])("%s", (_, conf, expected) => {
    const { early, prefix } = told(conf);
    expect(early).toBe(expected);
    // Driver and gateway must use the same names.
    expect(prefix).toMatch(/^[a-z]/);
  });

  test("under the names that the user has chosen", () => {
    expect(told({ [PREFIX]: "workers" })).toEqual({ early: "2", prefix: "workers" });
  });
});

test.each<[string, Record<string, string>]>([
  ["with dynamic allocation", { "spark.dynamicAllocation.enabled": "true" }],
  ["if the user does not want it", { [`${KEY}.earlyStart`]: "false" }],
  ["where sets make them", { "spark.kubernetes.allocation.pods.allocator": "statefulset" }],
  ["where steps are in a template", { [`${KEY}.executorSteps`]: "template" }],
  ["where there are none", { "spark.executor.instances": "0" }],
])("executors are not made early %s", (_, conf) => {
  expect(told(conf)).toEqual({ early: undefined, prefix: undefined });
});

test("a prefix that the driver would refuse is not given to it", () => {
  const { early, prefix } = told({ [PREFIX]: "a".repeat(238) });
  expect(early).toBeUndefined();
  expect(prefix).toBe("a".repeat(238));
});
