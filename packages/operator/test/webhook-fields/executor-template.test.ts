import type { EnvVar, Pod } from "@kindling/core-spec";
import { executorPodWith } from "@kindling/steps/testing";
import { describe, expect, it } from "vitest";
import type { ExecutorSpec, SparkApplicationSpec } from "@kindling/spark-application";
import { executorTemplate, type ExecutorTemplate } from "../../src/webhook-fields/executor-template.ts";
import { application } from "./application.ts";

function made(executor: ExecutorSpec, template?: Pod, spec: Partial<SparkApplicationSpec> = {}): ExecutorTemplate {
  return executorTemplate(application({ memoryLimit: "9g" }, executor, spec), template);
}

/** The executor that a stock driver makes from it. */
function executorOf({ template, conf }: ExecutorTemplate, sparkVersion = "4.0.4") {
  return executorPodWith([], { sparkVersion, conf: Object.fromEntries(conf), ...(template && { template }) });
}

describe("an executor template", () => {
  it("is none where there is nothing to put into it", () => {
    expect(made({})).toEqual({ template: undefined, conf: [], warnings: [] });
    expect(made({ nodeSelector: { zone: "a" }, schedulerName: "own", env: [{ name: "A", value: "1" }] })).toEqual({
      template: undefined,
      conf: [
        ["spark.executorEnv.A", "1"],
        ["spark.kubernetes.executor.node.selector.zone", "a"],
        ["spark.kubernetes.executor.scheduler.name", "own"],
      ],
      warnings: [],
    });
  });

  it("is the object's own, as it is, where there is nothing to add", () => {
    const template: Pod = { spec: { containers: [{ name: "main" }] } };
    expect(made({}, template).template).toBe(template);
  });

  it("has Spark's container in the first place, by its name", () => {
    const { template, conf } = made({ securityContext: { runAsUser: 185 }, sidecars: [{ name: "logs" }] });
    expect(template).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { annotations: { "kubectl.kubernetes.io/default-container": "spark-kubernetes-executor" } },
      spec: {
        containers: [{ name: "spark-kubernetes-executor", securityContext: { runAsUser: 185 } }, { name: "logs" }],
      },
    });
    expect(conf).toEqual([["spark.kubernetes.executor.podTemplateContainerName", "spark-kubernetes-executor"]]);
  });

  it.each([
    [["spark-kubernetes-executor", "logs"], 0],
    [["logs", "spark-kubernetes-executor"], 1],
    [["main"], 0],
    [["main", "logs"], 0],
  ])("of containers %j changes that of Spark", (names, place) => {
    const containers = names.map((name) => ({ name }));
    const lifecycle = { preStop: { exec: { command: ["sync"] } } };
    const { template, conf } = made({ lifecycle, affinity: {} }, { spec: { containers, hostNetwork: true } });
    expect(template?.spec).toEqual({
      hostNetwork: true,
      affinity: {},
      containers: containers.map((container, index) => (index === place ? { ...container, lifecycle } : container)),
    });
    const isNamed = names.includes("spark-kubernetes-executor");
    expect(conf.map(([key]) => key)).toEqual(isNamed ? ["spark.kubernetes.executor.podTemplateContainerName"] : []);
  });

  it("leaves the default container to whoever names one", () => {
    const sidecars = [{ name: "logs" }];
    const key = "kubectl.kubernetes.io/default-container";
    expect(made({ sidecars, annotations: { [key]: "logs" } }).template?.metadata).toBeUndefined();
    const template: Pod = { metadata: { annotations: { [key]: "other" } }, spec: {} };
    expect(made({ sidecars }, template).template?.metadata?.annotations).toEqual({ [key]: "other" });
  });

  it("gives a driver's executors what the webhook gave them", () => {
    const { pod, container } = executorOf(
      made(
        {
          env: [
            { name: "SPARK_CONF_DIR", value: "/mine" },
            { name: "POD", valueFrom: { fieldRef: { fieldPath: "x" } } },
          ],
          nodeSelector: { zone: "a" },
          schedulerName: "own",
          priorityClassName: "high",
          gpu: { name: "nvidia.com/gpu", quantity: 1 },
          tolerations: [{ operator: "Exists" }],
          volumeMounts: [{ name: "data", mountPath: "/data" }],
        },
        { spec: { nodeSelector: { zone: "b", disk: "ssd" }, schedulerName: "template", priority: 7 } },
        { volumes: [{ name: "data", emptyDir: {} }], sparkConfigMap: "files" },
      ),
    );
    expect(valueOf(container.env, "SPARK_CONF_DIR")).toBe("/etc/spark/conf");
    expect(container.env?.find(({ name }) => name === "POD")).toHaveProperty("valueFrom");
    expect(pod.spec).toMatchObject({
      nodeSelector: { zone: "a", disk: "ssd" },
      schedulerName: "own",
      priorityClassName: "high",
      tolerations: [{ operator: "Exists" }],
    });
    expect(pod.spec).not.toHaveProperty("priority");
    expect(container.resources?.limits?.["nvidia.com/gpu"]).toBe("1");
    expect(container.volumeMounts?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["data", "spark-configmap-volume"]),
    );
  });

  it("keeps what newer versions of Spark set themselves", () => {
    const fields = { terminationGracePeriodSeconds: 0, securityContext: { allowPrivilegeEscalation: true } };
    for (const sparkVersion of ["4.0.4", "4.1.1", "4.3.0"]) {
      const { pod, container } = executorOf(made(fields), sparkVersion);
      expect(pod.spec?.terminationGracePeriodSeconds).toBe(0);
      expect(container.securityContext).toEqual({ allowPrivilegeEscalation: true });
    }
  });

  it("lets variables see those in front of them", () => {
    const env: EnvVar[] = [
      { name: "ROOT", value: "/data" },
      { name: "LOGS", value: "$(ROOT)/logs" },
      { name: "OWN", value: "$(SPARK_EXECUTOR_ID)" },
      { name: "NODE", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
      { name: "SPACED", value: " x " },
    ];
    const { template, conf } = made({ env });
    expect(template?.spec?.containers?.[0]?.env).toEqual(env.filter(({ name }) => name !== "OWN"));
    expect(conf.filter(([key]) => key.startsWith("spark.executorEnv."))).toEqual([
      ["spark.executorEnv.ROOT", "/data"],
      ["spark.executorEnv.OWN", "$(SPARK_EXECUTOR_ID)"],
    ]);
    const names = executorOf({ template, conf, warnings: [] }).container.env?.map(({ name }) => name) ?? [];
    expect(names.indexOf("ROOT")).toBeLessThan(names.indexOf("LOGS"));
    expect(names.indexOf("SPARK_EXECUTOR_ID")).toBeLessThan(names.indexOf("OWN"));
  });

  it("takes the last of several values", () => {
    const node = { name: "A", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } };
    const plain = { name: "A", value: "1" };
    expect(made({ env: [node, plain] }).conf).toEqual([["spark.executorEnv.A", "1"]]);
    expect(made({ env: [plain, node] }).template?.spec?.containers?.[0]?.env).toEqual([plain, node]);
  });
});

describe("its warnings", () => {
  it.each<[string, ExecutorSpec, Partial<SparkApplicationSpec>]>([
    ["spec.executor.memoryLimit", { memoryLimit: "2g" }, {}],
    ["spec.executor.lifecycle", { lifecycle: {} }, { sparkConf: { "spark.decommission.enabled": "true" } }],
    ["spec.executor.gpu", { gpu: { name: "nvidia.com/gpu", quantity: 1 } }, { dynamicAllocation: { enabled: true } }],
    [
      "spec.executor.gpu",
      { gpu: { name: "nvidia.com/gpu", quantity: 1 } },
      { sparkConf: { "spark.dynamicAllocation.enabled": "true" } },
    ],
    ["spec.executor.env: SPARK_USER", { env: [{ name: "SPARK_USER", valueFrom: {} }] }, {}],
    ["spec.executor.env: SPARK_JAVA_OPT_0", { env: [{ name: "SPARK_JAVA_OPT_0", value: "-X" }] }, {}],
    ["spec.executor.env: A", { env: [{ name: "A", valueFrom: {} }], envVars: { A: "1" } }, {}],
    ["spec.executor.env: A", { env: [{ name: "A", valueFrom: {} }] }, { sparkConf: { "spark.executorEnv.A": "1" } }],
    [
      "spec.executor.env: A",
      { env: [{ name: "A", value: "1" }], envSecretKeyRefs: { A: { name: "keys", key: "k" } } },
      {},
    ],
    ["spec.executor.env: SPARK_LOCAL_DIRS", { env: [{ name: "SPARK_LOCAL_DIRS", valueFrom: {} }] }, {}],
  ])("name %s", (field, executor, spec) => {
    const { warnings } = made(executor, undefined, spec);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(new RegExp(`^${field} has no effect`));
  });

  it("name a variable that does not see Spark's", () => {
    const env = [
      { name: "ROOT", value: "/data" },
      { name: "OWN", value: "$(ROOT)/$(SPARK_EXECUTOR_ID)" },
    ];
    expect(made({ env }).warnings).toEqual([
      "spec.executor.env: OWN does not see SPARK_EXECUTOR_ID, which Spark sets later",
    ]);
  });

  it("are none for what is carried", () => {
    const env = [
      { name: "SPARK_USER", value: "me" },
      { name: "SPARK_APPLICATION_NAME", value: "pi" },
      { name: "SECRET", valueFrom: {} },
    ];
    const { warnings } = made({ env, lifecycle: {}, gpu: { name: "nvidia.com/gpu", quantity: 1 } });
    expect(warnings).toEqual([]);
  });
});

function valueOf(env: readonly EnvVar[] = [], name: string): string | undefined {
  return env.findLast((variable) => variable.name === name)?.value;
}
