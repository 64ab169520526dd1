import { expect, test } from "vitest";
import { gatewayDriver, KEY } from "./gateway-driver.ts";

const DYNAMIC = "spark.dynamicAllocation";
const dynamic = (entries: Record<string, string>): Record<string, string> => ({
  [`${DYNAMIC}.enabled`]: "true",
  ...Object.fromEntries(Object.entries(entries).map(([name, value]) => [`${DYNAMIC}.${name}`, value])),
});

// What a stock driver starts with (SchedulerBackendUtils.getInitialTargetExecutorNumber).
test.each<[string, Record<string, string>, string]>([
  ["by default", {}, "2"],
  ["as many as there shall be", { "spark.executor.instances": "7" }, "7"],
  ["as many as were asked for", { "spark.executor.instances": "7", [`${KEY}.minExecutors`]: "3" }, "3"],
  ["none, if that was asked for", { [`${KEY}.minExecutors`]: "0" }, "0"],
  ["none of a dynamic allocation that may do without", dynamic({}), "0"],
  ["the minimum of a dynamic allocation", dynamic({ minExecutors: "4" }), "4"],
  ["its first number, if that is more", dynamic({ minExecutors: "4", initialExecutors: "6" }), "6"],
  ["its minimum, if that is more", dynamic({ minExecutors: "4", initialExecutors: "3" }), "4"],
  [
    "its number of instances, if that is more",
    { ...dynamic({ minExecutors: "4" }), "spark.executor.instances": "5" },
    "5",
  ],
  [
    "of a dynamic allocation what was asked for",
    { ...dynamic({ minExecutors: "4" }), [`${KEY}.minExecutors`]: "9" },
    "9",
  ],
])("a driver waits for room for its executors: %s", (_, conf, expected) => {
  expect(gatewayDriver({ conf }).driverPod.metadata?.annotations?.["scheduler.kindling/min-executors"]).toBe(expected);
});
