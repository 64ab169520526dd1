import type { Step } from "@kindling/core-spec";
import { describe, expect, test } from "vitest";
import { plan, type PlanInput } from "../../src/index.ts";
import { planInput } from "../fixtures/plan-input.ts";

const GATEWAY = {
  "spark.kindling.scheduler": "gateway",
  "spark.kindling.scheduler.uri": "https://kindling-gateway.spark-system.svc:8443",
};

/** What the gateway is told of an executor's size. */
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

  test("makes no difference where nobody asks for it", () => {
    const unasked = { ...GATEWAY, "spark.kindling.scheduler": "native" };
    expect(plan(planInput(unasked)).objects).toEqual(plan(planInput({})).objects);
  });
});
