import { expect, test } from "vitest";
import { withDefaults } from "../src/read/defaults.ts";
import type { SparkApplicationSpec } from "../src/spec/application-spec.ts";
import { applicationWith } from "../src/testing/application-with.ts";

const defaulted = (spec: Partial<SparkApplicationSpec>) => withDefaults(applicationWith(spec)).spec;

test("an application that says little gets what stock's webhook stores", () => {
  expect(defaulted({})).toEqual({
    ...applicationWith({}).spec,
    mode: "cluster",
    restartPolicy: { type: "Never" },
    driver: { cores: 1, memory: "1g" },
    executor: { cores: 1, memory: "1g", instances: 1 },
  });
});

test("what is said stays", () => {
  const spec = {
    mode: "client",
    restartPolicy: { type: "OnFailure", onFailureRetryInterval: 60, onSubmissionFailureRetryInterval: 70 },
    driver: { cores: 2, memory: "2g", labels: { a: "b" } },
    executor: { cores: 3, memory: "3g", instances: 4 },
    dynamicAllocation: { enabled: true, shuffleTrackingEnabled: false },
  } as const;
  expect(defaulted(spec)).toEqual({ ...applicationWith({}).spec, ...spec });
});

test.each(["OnFailure", "Always"] as const)("with %s the waits are five seconds", (type) => {
  expect(defaulted({ restartPolicy: { type, onFailureRetries: 3 } }).restartPolicy).toEqual({
    ...{ type, onFailureRetries: 3 },
    ...{ onFailureRetryInterval: 5, onSubmissionFailureRetryInterval: 5 },
  });
});

test("what sparkConf has is not given twice", () => {
  const { driver, executor } = defaulted({
    sparkConf: {
      "spark.driver.cores": "2",
      "spark.driver.memory": "2g",
      "spark.executor.cores": "2",
      "spark.executor.memory": "2g",
      "spark.executor.instances": "5",
    },
  });
  expect([driver, executor]).toEqual([{}, {}]);
});

test.each<[string, Partial<SparkApplicationSpec>, number | undefined]>([
  ["in the spec", { dynamicAllocation: { enabled: true } }, undefined],
  ["in the spec, but off", { dynamicAllocation: { enabled: false } }, 1],
  ["in the spec, without a word", { dynamicAllocation: {} }, 1],
  [
    "off in the spec, on in sparkConf",
    { dynamicAllocation: {}, sparkConf: { "spark.dynamicAllocation.enabled": "true" } },
    1,
  ],
  ["in sparkConf", { sparkConf: { "spark.dynamicAllocation.enabled": " TRUE" } }, undefined],
  ["in sparkConf, but off", { sparkConf: { "spark.dynamicAllocation.enabled": "false" } }, 1],
  ["nowhere, with an empty number in sparkConf", { sparkConf: { "spark.executor.instances": "" } }, 1],
])("dynamic allocation %s", (_, spec, instances) => {
  expect(defaulted(spec).executor.instances).toBe(instances);
});

test("shuffle tracking is on with dynamic allocation only", () => {
  expect(defaulted({ dynamicAllocation: { enabled: true } }).dynamicAllocation).toEqual({
    enabled: true,
    shuffleTrackingEnabled: true,
  });
  expect(defaulted({ dynamicAllocation: { minExecutors: 1 } }).dynamicAllocation).toEqual({ minExecutors: 1 });
});

test("the application itself stays as it is, and defaults once given change nothing", () => {
  const application = applicationWith({ restartPolicy: { type: "Always" }, dynamicAllocation: { enabled: true } });
  const before = structuredClone(application);
  const once = withDefaults(application);
  expect(application).toEqual(before);
  expect(withDefaults(once)).toEqual(once);
});
