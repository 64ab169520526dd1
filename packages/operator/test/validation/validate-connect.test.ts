import type { SparkConnectSpec } from "@kindling/spark-application";
import { aSparkConnect } from "@kindling/spark-application/testing";
import { expect, test } from "vitest";
import { validateConnect } from "../../src/validation/validate-connect.ts";

// The cases are those of kubeflow/spark-operator, internal/webhook/sparkconnect_validator_test.go.

test.each<[string, Partial<SparkConnectSpec>, string]>([
  ["no version", { sparkVersion: "" }, "sparkVersion is required"],
  ["an old version", { sparkVersion: "2.4.0", server: { template: {} } }, "requires Spark version 3.0.0 or higher"],
  ["no image", { image: "" }, "image must be specified"],
  [
    "few at most",
    { dynamicAllocation: { enabled: true, minExecutors: 10, maxExecutors: 5 } },
    "cannot be greater than",
  ],
  [
    "few at first",
    { dynamicAllocation: { enabled: true, initialExecutors: 1, minExecutors: 5 } },
    "cannot be less than",
  ],
  [
    "many at first",
    { dynamicAllocation: { enabled: true, initialExecutors: 15, maxExecutors: 10 } },
    "dynamicAllocation.initialExecutors (15) cannot be greater than dynamicAllocation.maxExecutors (10)",
  ],
  ["fewer than none", { dynamicAllocation: { enabled: true, minExecutors: -1 } }, "must be non-negative, got -1"],
  ["memory", { server: { memory: "invalid" } }, 'invalid server.memory: invalid memory format "invalid"'],
  ["executors' memory", { executor: { memory: "1.5g" } }, "invalid executor.memory"],
  ["nobody to work", { executor: { instances: 0 } }, "executor.instances is 0"],
  ["a master", { sparkConf: { "spark.master": "local" } }, 'sparkConf key "spark.master" is not allowed'],
  ["a namespace", { sparkConf: { "spark.kubernetes.namespace": "a" } }, "must equal the application namespace"],
])("%s is refused", (_what, spec, wanted) => {
  expect(validateConnect(aSparkConnect(spec))).toEqual([expect.stringContaining(wanted)]);
});

test.each<Partial<SparkConnectSpec>>([
  {},
  ...["1g", "512m", "1024k", "2048mb", "1gb", "100", "1t", "1P", "1073741824"].map((memory) => ({
    server: { memory },
  })),
  { dynamicAllocation: { enabled: true, initialExecutors: 5, minExecutors: 2, maxExecutors: 10 } },
  { dynamicAllocation: { enabled: false, minExecutors: 10, maxExecutors: 5 } },
  { executor: { instances: 0 }, dynamicAllocation: { enabled: true } },
  { executor: { instances: 0 }, sparkConf: { "spark.dynamicAllocation.enabled": "true" } },
  { sparkConf: { "spark.kubernetes.namespace": "spark-jobs", "spark.files": "/etc/passwd" } },
  {
    image: "",
    server: { template: { spec: { containers: [{ name: "spark-connect", image: "spark" }] } } },
    executor: { template: { spec: { containers: [{ name: "executor", image: "spark" }] } } },
  },
])("%o is taken", (spec) => {
  expect(validateConnect(aSparkConnect(spec))).toEqual([]);
});

test("an image of another container is none", () => {
  const sidecar = { name: "sidecar", image: "busybox" };
  const executor = { template: { spec: { containers: [{ name: "executor", image: "spark" }] } } };
  const server = { template: { spec: { containers: [sidecar, { name: "spark-kubernetes-driver" }] } } };
  expect(validateConnect(aSparkConnect({ image: "", server, executor }))).toHaveLength(1);
});

test.each<[string, boolean]>([
  ["a", true],
  ["a".repeat(56), true],
  ["a".repeat(57), false],
  ["a".repeat(64), false],
  ["1a", false],
  ["a-", false],
  ["a.b", false],
])("the name %s", (name, isTaken) => {
  expect(validateConnect(aSparkConnect({}, { metadata: { name } })).length === 0).toBe(isTaken);
});
