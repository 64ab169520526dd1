import { compareQuantities, parseQuantity, runExecutorSteps, SPARK_RELEASES, sparkConf } from "@kindling/core-spec";
import { sampleExecutor } from "@kindling/core-spec/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chain, initialExecutorSpec, runningDriverConf } from "../../../src/index.ts";
import { podRequest } from "../../../src/steps/scheduler/pod-request.ts";
import { gatewayDriver, type DriverOptions } from "./gateway-driver.ts";

function room(options: DriverOptions): Record<string, string> {
  const annotations = gatewayDriver(options).driverPod.metadata?.annotations;
  return JSON.parse(annotations?.["scheduler.kindling/executor-request"] ?? "{}") as Record<string, string>;
}

describe("what the gateway is told of an executor's size", () => {
  const conf = fc.record(
    {
      "spark.executor.cores": fc.constantFrom("1", "4"),
      "spark.kubernetes.executor.request.cores": fc.constantFrom("500m", "1.5", "2"),
      "spark.executor.memory": fc.constantFrom("1g", "3000m", "20g"),
      "spark.executor.memoryOverhead": fc.constantFrom("0", "512", "2g"),
      "spark.kubernetes.memoryOverheadFactor": fc.constantFrom("0.2", "0.5"),
      "spark.memory.offHeap.enabled": fc.constantFrom("true", "false"),
      "spark.memory.offHeap.size": fc.constantFrom("1g", "100m"),
      "spark.executor.pyspark.memory": fc.constantFrom("700m", "1g"),
    },
    { requiredKeys: [] },
  );
  const application = fc.constantFrom("java" as const, "python" as const);

  test.each(SPARK_RELEASES)("is what its driver will request for it, with Spark %s", (sparkVersion) => {
    fc.assert(
      fc.property(conf, application, (entries, language) => {
        const mainApplication = { language, resource: "local:///opt/app", mainClass: "Main" };
        const options = { conf: entries, mainApplication, sparkVersion };
        const started = runningDriverConf(gatewayDriver(options).driverSparkConf, sparkVersion);
        const facts = { "spark.driver.host": "host", "spark.driver.bindAddress": "10.0.0.1" };
        const executor = {
          ...sampleExecutor({ sparkVersion }),
          conf: sparkConf({ ...started, ...facts }, { sparkVersion }),
        };
        const { spec } = runExecutorSteps(
          initialExecutorSpec(undefined, () => {}),
          executor,
          chain(sparkVersion),
        );
        const { cpu = "", memory = "" } = spec.executorContainer.resources?.requests ?? {};
        const told = room(options);
        expect(told["memory"]).toBe(memory);
        expect(same(told["cpu"] ?? "", cpu)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test("counts what else a template puts into its pod", () => {
    const template = {
      spec: {
        initContainers: [{ name: "fetch", resources: { requests: { memory: "4Gi" } } }],
        containers: [
          { name: "spark", resources: { requests: { "ephemeral-storage": "1Gi" } } },
          { name: "proxy", resources: { requests: { cpu: 0.25 }, limits: { cpu: "1", memory: "128Mi" } } },
        ],
      },
    };
    const options = {
      conf: {
        "spark.kubernetes.executor.podTemplateFile": "/etc/executor.yaml",
        "spark.executor.resource.gpu.amount": "2",
        "spark.executor.resource.gpu.vendor": "nvidia.com",
      },
      files: { "/etc/executor.yaml": JSON.stringify(template) },
    };
    expect(room(options)).toEqual({
      cpu: "1250m",
      "ephemeral-storage": "1024Mi",
      memory: "4096Mi",
      "nvidia.com/gpu": "2",
    });
  });
});

test("a template that asks for its pod as a whole is told of as such", () => {
  const template = { spec: { resources: { requests: { cpu: "8" }, limits: { memory: "20Gi" } } } };
  const options = {
    conf: { "spark.kubernetes.executor.podTemplateFile": "/etc/executor.yaml" },
    files: { "/etc/executor.yaml": JSON.stringify(template) },
  };
  // Spark's own container requests memory, so the limit of the whole pod does not count as a request.
  expect(room(options)).toEqual({ cpu: "8", memory: "1408Mi" });
});

describe("the request of a pod", () => {
  const container = (cpu: string, restartPolicy?: string) => ({
    name: "a",
    resources: { requests: { cpu } },
    ...(restartPolicy !== undefined && { restartPolicy }),
  });

  // Kubernetes, "Sidecar Containers", resource sharing within containers.
  test.each([
    ["containers together", [], ["1", "500m"], "1500m"],
    ["the greatest init container, if that is more", [container("2"), container("3")], ["1", "1"], "3"],
    ["sidecars beside the containers", [container("1", "Always")], ["1"], "2"],
    ["an init container beside the sidecars before it", [container("1", "Always"), container("3")], ["1"], "4"],
    ["an init container without the sidecars behind it", [container("3"), container("1", "Always")], ["1"], "3"],
  ])("is %s", (_, initContainers, cpus, cpu) => {
    expect(podRequest({ initContainers, containers: cpus.map((one) => container(one)) }, "")).toEqual({ cpu });
  });

  test.each([
    ["what it requests as a whole", { requests: { cpu: "8" } }, { cpu: "8" }],
    ["what its containers request, if that is more", { requests: { cpu: "1m" } }, { cpu: "2" }],
    [
      "a limit as a whole of what no container requests",
      { limits: { cpu: "4", memory: "1Gi" } },
      { cpu: "2", memory: "1024Mi" },
    ],
    ["nothing that Kubernetes does not count as a whole", { requests: { "nvidia.com/gpu": "8" } }, { cpu: "2" }],
  ])("is %s", (_, resources, request) => {
    const spec = { resources, containers: [container("2")] };
    expect(podRequest(spec, "")).toEqual(request);
  });

  test("holds the overhead of its runtime", () => {
    expect(podRequest({ overhead: { cpu: "250m" }, containers: [container("2")] }, "")).toEqual({ cpu: "2250m" });
  });
});

function same(one: string, other: string): boolean {
  const [a, b] = [parseQuantity(one), parseQuantity(other)];
  return a !== undefined && b !== undefined && compareQuantities(a, b) === 0;
}

describe("what the gateway is told of the nodes for executors", () => {
  function placement(options: DriverOptions): unknown {
    const told = gatewayDriver(options).driverPod.metadata?.annotations?.["scheduler.kindling/executor-placement"];
    return told === undefined ? undefined : JSON.parse(told);
  }

  const selector = (name: string, value: string) => ({ [`spark.kubernetes.${name}`]: value });
  const spot = [{ key: "spot", operator: "Exists", effect: "NoSchedule" }];

  test("is nothing if they are those of the driver", () => {
    expect(placement({})).toBeUndefined();
    expect(placement({ conf: selector("node.selector.disk", "ssd") })).toBeUndefined();
  });

  test("is what the keys say for them", () => {
    const conf = {
      ...selector("node.selector.disk", "ssd"),
      ...selector("driver.node.selector.pool", "drivers"),
      ...selector("executor.node.selector.pool", "executors"),
    };
    expect(placement({ conf })).toEqual({ nodeSelector: { disk: "ssd", pool: "executors" } });
  });

  test("is any node, if only the driver is bound to some", () => {
    expect(placement({ conf: selector("driver.node.selector.pool", "drivers") })).toEqual({});
    expect(placement({ template: { spec: { containers: [], tolerations: spot } } })).toEqual({});
  });

  test("is what their template says", () => {
    const term = { matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }] };
    const affinity = {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
    };
    const spec = { containers: [{ name: "main" }], nodeSelector: { pool: "x" }, tolerations: spot, affinity };
    const conf = {
      "spark.kubernetes.executor.podTemplateFile": "/etc/executor.yaml",
      ...selector("executor.node.selector.pool", "executors"),
    };
    expect(placement({ conf, files: { "/etc/executor.yaml": JSON.stringify({ spec }) } })).toEqual({
      nodeSelector: { pool: "executors" },
      tolerations: spot,
      affinity,
    });
  });
});
