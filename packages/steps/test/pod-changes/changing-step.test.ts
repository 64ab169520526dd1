import type { PodChanges } from "@kindling/core-spec";
import { examineStep } from "@kindling/core-spec/testing";
import { driverPodWith, executorPodWith } from "@kindling/steps/testing";
import { describe, expect, test } from "vitest";
import { changingStep, combinedChanges, parseHandover } from "../../src/index.ts";

const SPARK = { sparkVersion: "4.3.0", executorsBy: "gateway" } as const;
const ALLOWANCE = "scheduler.kindling/executor-allowance";

function changes(some: Partial<PodChanges>): PodChanges {
  return combinedChanges([some]);
}

const FIELDS = changes({
  limits: { memory: "3Gi" },
  env: [{ name: "SPARK_USER", value: "grace" }],
  nodeSelector: { disk: "ssd" },
  spec: { terminationGracePeriodSeconds: 7 },
  container: { lifecycle: { preStop: { exec: { command: ["true"] } } } },
});

test("a step of changes keeps the rules of all steps", () => {
  expect(examineStep(changingStep("fields", { driver: FIELDS, executor: FIELDS }))).toEqual([]);
});

test("executors get the changes behind all that is Spark's", () => {
  const step = changingStep("fields", { executor: FIELDS });
  const conf = { "spark.decommission.enabled": "true", "spark.kubernetes.executor.node.selector.disk": "hdd" };
  const { pod, container } = executorPodWith(step, { ...SPARK, conf });
  expect(container.resources?.limits?.["memory"]).toBe("3Gi");
  expect(container.env?.findLast(({ name }) => name === "SPARK_USER")?.value).toBe("grace");
  expect(container.lifecycle).toEqual(FIELDS.container.lifecycle);
  expect(pod.spec).toMatchObject({ nodeSelector: { disk: "ssd" }, terminationGracePeriodSeconds: 7 });
});

/** What the driver's objects say about the executors' steps, and about what executors may have. */
function told(executor: PodChanges, annotations: Readonly<Record<string, string>> = {}): [unknown, unknown] {
  const template = { metadata: { annotations }, spec: {} };
  const { pod, resources } = driverPodWith(changingStep("fields", { executor }), { ...SPARK, template });
  const map = resources.find(({ metadata }) => metadata.name.endsWith("-executor-steps"));
  const data = (map as { data?: Readonly<Record<string, string>> } | undefined)?.data;
  const allowance = pod.metadata?.annotations?.[ALLOWANCE];
  return [parseHandover(data?.["executor-steps.json"] ?? "")?.steps, allowance && JSON.parse(allowance)];
}

describe("a gateway is told", () => {
  test("the changes, so that it need not have the step", () => {
    const [steps] = told(FIELDS);
    expect(steps).toEqual([{ name: "fields", changes: FIELDS }]);
  });

  test("that executors may have what the changes bring", () => {
    const tolerations = [{ key: "gpu", operator: "Exists" }];
    const [, allowance] = told(
      changes({
        tolerations,
        nodeSelector: { disk: "ssd" },
        volumes: [{ name: "data", hostPath: { path: "/data" } }],
        spec: { hostNetwork: true, priorityClassName: "high", dnsPolicy: "Default" },
        env: [
          { name: "PLAIN", value: "1" },
          { name: "KEY", valueFrom: { secretKeyRef: { name: "keys", key: "k" } } },
        ],
        container: { securityContext: { runAsUser: 185, capabilities: { add: ["SYS_PTRACE"] } } },
        sidecars: [
          { name: "logs", env: [{ name: "LEVEL", value: "high" }], envFrom: [{ secretRef: { name: "logs" } }] },
          { name: "node", securityContext: { privileged: true }, ports: [{ containerPort: 1, hostPort: 1 }] },
        ],
      }),
    );
    expect(allowance).toEqual({
      ...{ hostNetwork: true, priorityClassName: "high", nodeSelector: { disk: "ssd" }, tolerations },
      volumes: [{ hostPath: { path: "/data" } }],
      containers: [
        { envFrom: [{ secretRef: { name: "logs" } }] },
        { securityContext: { privileged: true }, ports: [{ hostPort: 1 }] },
        {
          env: [{ valueFrom: { secretKeyRef: { name: "keys" } } }],
          securityContext: { runAsUser: 185, capabilities: { add: ["SYS_PTRACE"] } },
        },
      ],
    });
  });

  test("what the driver's pod says of that already, too", () => {
    const before = { nodeSelector: { zone: "a" } };
    const [, allowance] = told(FIELDS, { [ALLOWANCE]: JSON.stringify(before) });
    expect(allowance).toEqual({ nodeSelector: { zone: "a", disk: "ssd" } });
  });

  test("nothing of that, where the changes bring nothing of the kind", () => {
    expect(told(changes({ env: [{ name: "A", value: "b" }] }))[1]).toBeUndefined();
  });
});
