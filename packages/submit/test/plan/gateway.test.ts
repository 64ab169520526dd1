import { confType, optionalConfKey, type KubernetesExecutorSpec, type Step } from "@kindling/core-spec";
import { HANDOVER_ENTRY, parseHandover } from "@kindling/steps";
import type { ConfigMap, Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { plan, planExecutor, type PlanInput } from "../../src/index.ts";
import { planInput } from "../fixtures/plan-input.ts";

const GATEWAY = {
  "spark.kindling.scheduler": "gateway",
  "spark.kindling.scheduler.uri": "https://kindling-gateway.spark-system.svc:8443",
};

/** The executor size that the gateway is told. */
function executorRequest(input: PlanInput, steps: readonly Step[] = []): unknown {
  const { annotations = {} } = plan(input, steps).objects.pod.metadata ?? {};
  return JSON.parse(annotations["scheduler.kindling/executor-request"] ?? "null");
}

describe("a plan for the gateway", () => {
  test("keeps its own keys from the driver, which learns where to ask", () => {
    const { driverSparkConf } = plan(planInput(GATEWAY)).objects;
    expect(Object.keys(driverSparkConf).filter((key) => key.startsWith("spark.kindling."))).toEqual([]);
    expect(driverSparkConf["spark.kubernetes.driver.master"]).toBe(GATEWAY["spark.kindling.scheduler.uri"]);
  });

  test("counts what templates that are no files and contributed steps put beside executors", () => {
    const beside = (name: string) => ({ name, resources: { requests: { cpu: "500m", memory: "64Mi" } } });
    const proxy: Step = {
      name: "proxy",
      configureExecutor: (spec) => ({
        ...spec,
        executorPod: {
          ...spec.executorPod,
          spec: {
            ...spec.executorPod.spec,
            containers: [...(spec.executorPod.spec?.containers ?? []), beside("proxy")],
          },
        },
      }),
    };
    const input = planInput(GATEWAY);
    const executor = { spec: { containers: [{ name: "spark" }, beside("logs")] } };
    expect(executorRequest(input)).toEqual({ cpu: "1", memory: "1408Mi" });
    expect(executorRequest({ ...input, templates: { executor } })).toEqual({ cpu: "1500m", memory: "1472Mi" });
    expect(executorRequest({ ...input, templates: { executor } }, [proxy])).toEqual({ cpu: "2", memory: "1536Mi" });
  });

  const perExecutor: Step = {
    name: "per-executor",
    keys: [
      optionalConfKey({
        key: "spark.kindling.perExecutor.zone",
        type: confType.text,
        doc: "",
        readBy: ["submit"],
      }),
      optionalConfKey({
        key: "spark.kindling.perExecutor.token",
        type: confType.text,
        doc: "",
        readBy: ["submit"],
        secret: true,
      }),
    ],
    configureExecutor: (spec, { executorId }) => ({
      ...spec,
      executorContainer: {
        ...spec.executorContainer,
        env: [...(spec.executorContainer.env ?? []), { name: "ID", value: executorId }],
      },
    }),
  };

  test("leaves the executor halves of steps to it, with what they read and no secrets", () => {
    const own = { "spark.kindling.perExecutor.zone": "b", "spark.kindling.perExecutor.token": "hush" };
    const localized = { "spark.jars": "https://host/a.jar", "spark.kindling.localizer.schemes": "https" };
    const image = { "spark.kindling.localizer.image": "localizer:1" };
    const { objects } = plan(planInput({ ...GATEWAY, ...own, ...localized, ...image }), [perExecutor]);
    const name = objects.pod.metadata?.annotations?.["scheduler.kindling/executor-steps"];
    const map = objects.resources.find(({ metadata }) => metadata.name === name) as ConfigMap | undefined;
    const text = map?.data?.[HANDOVER_ENTRY] ?? "";
    expect(parseHandover(text)).toEqual({
      sparkVersion: "4.3.0",
      appName: "sample",
      conf: {
        "spark.kindling.perExecutor.zone": "b",
        "spark.kindling.localizer.schemes": "https",
        "spark.kindling.localizer.image": "localizer:1",
      },
      steps: [
        { name: "per-executor" },
        {
          name: "staged-dependencies",
          dependencies: {
            by: "staged-dependencies",
            dependencies: [{ kind: "jar", name: "jars/a.jar" }],
            secretName: expect.stringMatching(/-dependencies$/),
            secretEntries: [],
          },
        },
      ],
    });
    expect(text).not.toContain("hush");
    expect(objects.driverSparkConf["spark.kubernetes.executor.podTemplateFile"]).toBeUndefined();
  });

  test.each([
    ["where the submission says so", { "spark.kindling.scheduler.executorSteps": "template" }],
    ["where executors come by the set", { "spark.kubernetes.allocation.pods.allocator": "statefulset" }],
  ])("has them in a template instead %s, and tells the gateway nothing", (_, conf) => {
    const proxy: Step = {
      name: "label",
      configureExecutor: (spec) => ({
        ...spec,
        executorPod: { ...spec.executorPod, metadata: { ...spec.executorPod.metadata, labels: { a: "b" } } },
      }),
    };
    const given = { ...GATEWAY, ...conf };
    const { objects } = plan(planInput(given), [proxy]);
    expect(objects.driverSparkConf["spark.kubernetes.executor.podTemplateFile"]).toBeDefined();
    expect(objects.pod.metadata?.annotations).not.toHaveProperty(["scheduler.kindling/executor-steps"]);
    expect(() => plan(planInput(given), [perExecutor])).toThrow("something else to each executor");
  });

  test("shows an executor as the gateway will make it", () => {
    const { objects } = planExecutor(planInput(GATEWAY), [perExecutor]);
    const pod = objects.find(({ kind }) => kind === "Pod") as Pod | undefined;
    expect(pod?.spec?.containers[0]?.env).toContainEqual({ name: "ID", value: "1" });
  });

  test.each([
    [
      "fails",
      () => {
        throw new Error("no zone");
      },
      "step per-executor failed: no zone",
    ],
    [
      "changes what a template says",
      (spec: KubernetesExecutorSpec) => ({ ...spec, executorContainer: { ...spec.executorContainer, image: "mine" } }),
      "step per-executor changes executorContainer.image, which step basic set",
    ],
  ])("is refused if a step %s for an executor that is made up", (_, configureExecutor, message) => {
    const executor = { spec: { containers: [{ name: "spark", image: "given" }] } };
    const input = { ...planInput(GATEWAY), templates: { executor } };
    expect(() => plan(input, [{ ...perExecutor, configureExecutor }])).toThrow(message);
  });

  test("makes no difference where nobody asks for it", () => {
    const unasked = { ...GATEWAY, "spark.kindling.scheduler": "native" };
    expect(plan(planInput(unasked)).objects).toEqual(plan(planInput({})).objects);
  });
});
