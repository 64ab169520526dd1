import { examineStep, sampleExecutor, sampleSubmission } from "@kindling/core-spec/testing";
import type { Container, Pod, Step } from "@kindling/core-spec";
import { driverPodWith, executorPodWith, type PodOptions } from "@kindling/steps/testing";
import { describe, expect, it } from "vitest";
import type { SparkApplication, SparkApplicationSpec, SparkPodSpec } from "@kindling/spark-application";
import { webhookFields } from "../../src/webhook-fields/webhook-fields.ts";
import { application } from "./application.ts";
import { AROUND, EVERYTHING } from "./everything.ts";

const SPARK: PodOptions = { sparkVersion: "4.0.4" };

interface Made {
  readonly pod: Pod;
  readonly container: Container;
}

/** The pods of both roles with the fields, with executors as the gateway makes them, and the pods without the fields. */
const ROLES: readonly ["driver" | "executor", (app: SparkApplication, options?: PodOptions) => Made, () => Made][] = [
  [
    "driver",
    (app, options) => driverPodWith(webhookFields(app), { ...SPARK, ...options }),
    () => driverPodWith([], SPARK),
  ],
  [
    "executor",
    (app, options) =>
      executorPodWith(webhookFields(app, { executors: true }), { ...SPARK, ...options, executorsBy: "gateway" }),
    () => executorPodWith([], { ...SPARK, executorsBy: "gateway" }),
  ],
];

describe.each(ROLES)("the webhook's fields on a %s pod", (role, make, bare) => {
  const other: SparkPodSpec = { env: [{ name: "OTHER", value: "role" }] };
  const withFields = (fields: SparkPodSpec, spec: Partial<SparkApplicationSpec> = {}): SparkApplication =>
    role === "driver" ? application(fields, other, spec) : application(other, fields, spec);

  it("go behind what Spark has made, in stock's order", () => {
    const { pod, container } = make(withFields(EVERYTHING, AROUND));
    const { pod: plain, container: before } = bare();
    const added = <T>(list: readonly T[] = [], old: readonly T[] = []): readonly T[] =>
      list.filter((item) => !old.some((known) => JSON.stringify(known) === JSON.stringify(item)));
    expect(added(container.env, before.env).filter(({ name }) => name !== "SPARK_APPLICATION_ID")).toEqual([
      { name: "LEVEL", value: "high" },
      { name: "HADOOP_CONF_DIR", value: "/etc/hadoop/conf" },
      { name: "SPARK_CONF_DIR", value: "/etc/spark/conf" },
    ]);
    expect(container.envFrom).toEqual([{ secretRef: { name: "credentials" } }]);
    expect(added(pod.spec?.volumes, plain.spec?.volumes)).toEqual([
      { name: "hadoop-configmap-volume", configMap: { name: "hadoop-files" } },
      { name: "spark-configmap-volume", configMap: { name: "spark-files" } },
      { name: "config-vol", configMap: { name: "config" } },
      { name: "data", emptyDir: {} },
      { name: "pi-prom-conf-vol", configMap: { name: "pi-prom-conf" } },
    ]);
    expect(added(container.volumeMounts, before.volumeMounts)).toEqual([
      { name: "hadoop-configmap-volume", readOnly: true, mountPath: "/etc/hadoop/conf" },
      { name: "spark-configmap-volume", readOnly: true, mountPath: "/etc/spark/conf" },
      { name: "config-vol", readOnly: true, mountPath: "/etc/config" },
      { name: "data", mountPath: "/data" },
      { name: "pi-prom-conf-vol", readOnly: true, mountPath: "/etc/metrics/conf" },
    ]);
    expect(added(container.ports, before.ports)).toEqual([
      { name: "debug", containerPort: 5005, protocol: "TCP" },
      { name: "metrics", containerPort: 9090, protocol: "TCP" },
    ]);
    expect(pod.spec?.containers?.map(({ name }) => name)).toContain("logs");
    expect(pod.spec?.initContainers).toEqual(EVERYTHING.initContainers);
    expect(pod.spec?.tolerations).toEqual(EVERYTHING.tolerations);
    expect(pod.spec?.hostAliases).toEqual(EVERYTHING.hostAliases);
    expect(container.resources?.limits).toMatchObject({ memory: "3Gi", "nvidia.com/gpu": "2" });
    expect(container).toMatchObject({ securityContext: { runAsUser: 185 }, lifecycle: EVERYTHING.lifecycle });
    expect(pod.spec).toMatchObject({
      affinity: { podAntiAffinity: {} },
      securityContext: { fsGroup: 185 },
      schedulerName: "binpacking",
      nodeSelector: { "disk.type": "ssd" },
      dnsPolicy: "ClusterFirstWithHostNet",
      hostNetwork: true,
      dnsConfig: { options: [{ name: "ndots", value: "1" }] },
      terminationGracePeriodSeconds: 90,
      shareProcessNamespace: true,
      priorityClassName: "urgent",
    });
    expect(container.env?.map(({ name }) => name)).not.toContain("OTHER");
  });

  it("take the place of what a template has", () => {
    const template: Pod = {
      spec: {
        priority: 5,
        preemptionPolicy: "Never",
        affinity: { nodeAffinity: {} },
        securityContext: { runAsNonRoot: true },
        nodeSelector: { "disk.type": "hdd", zone: "a" },
        tolerations: [{ key: "old", operator: "Exists" }],
        hostNetwork: false,
        dnsPolicy: "Default",
        containers: [
          {
            name: `spark-kubernetes-${role}`,
            securityContext: { privileged: true },
            lifecycle: { postStart: { exec: { command: ["go"] } } },
            resources: { limits: { "nvidia.com/gpu": "1", "example.com/fpga": "1" } },
          },
        ],
      },
    };
    const { pod, container } = make(withFields(EVERYTHING), { template });
    expect(pod.spec).not.toHaveProperty("priority");
    expect(pod.spec).not.toHaveProperty("preemptionPolicy");
    expect(pod.spec).toMatchObject({
      affinity: { podAntiAffinity: {} },
      nodeSelector: { "disk.type": "ssd", zone: "a" },
      hostNetwork: true,
      dnsPolicy: "ClusterFirstWithHostNet",
    });
    expect(pod.spec?.affinity).not.toHaveProperty("nodeAffinity");
    expect(pod.spec?.securityContext).toEqual({ fsGroup: 185 });
    expect(pod.spec?.tolerations).toEqual([
      { key: "old", operator: "Exists" },
      { key: "batch", operator: "Exists" },
    ]);
    expect(container.securityContext).toEqual({ runAsUser: 185 });
    expect(container.lifecycle).toEqual({ preStop: { exec: { command: ["sync"] } } });
    expect(container.resources?.limits).toMatchObject({ "nvidia.com/gpu": "2", "example.com/fpga": "1" });
  });

  it("leave a pod alone that has none", () => {
    const { pod, container } = make(application());
    const plain = bare();
    expect(container).toEqual(plain.container);
    expect(pod.spec).toEqual(plain.pod.spec);
  });

  it.each([
    ["512m", "512Mi"],
    ["512mb", "512Mi"],
    ["2g", "2Gi"],
    ["2G", "2Gi"],
    ["1.5g", "1.5Gi"],
    ["4096k", "4096Ki"],
    ["1t", "1Ti"],
    ["1536Mi", "1536Mi"],
    ["1610612736", "1610612736"],
  ])("have the memory limit %s as %s", (memoryLimit, quantity) => {
    expect(make(withFields({ memoryLimit })).container.resources?.limits?.["memory"]).toBe(quantity);
  });

  it.each(["", "much", "2gib", "g"])("refuse the memory limit %j", (memoryLimit) => {
    expect(() => make(withFields({ memoryLimit }))).toThrow(
      `spec.${role}.memoryLimit: failed to parse memory limit ${JSON.stringify(memoryLimit)}`,
    );
  });

  it("take no GPU without a name or an amount", () => {
    const plain = bare().container.resources;
    expect(make(withFields({ gpu: { name: "", quantity: 1 } })).container.resources).toEqual(plain);
    expect(make(withFields({ gpu: { name: "nvidia.com/gpu", quantity: 0 } })).container.resources).toEqual(plain);
  });

  it("let the batch scheduler win, and an empty one silence the role's", () => {
    const schedulerName = "own";
    const made = (batchScheduler: string): unknown =>
      make(withFields({ schedulerName }, { batchScheduler })).pod.spec?.schedulerName;
    expect(made("yunikorn")).toBe("yunikorn");
    expect(made("")).toBeUndefined();
  });

  it("add no container that is there already", () => {
    const sidecars = [
      { name: "logs", image: "fluent-bit" },
      { name: "logs", image: "fluent-bit" },
      { name: `spark-kubernetes-${role}`, image: "apache/spark:4.0.4" },
    ];
    const { pod } = make(withFields({ sidecars, initContainers: [{ name: "warm" }, { name: "warm" }] }));
    expect(pod.spec?.containers?.map(({ name }) => name).sort()).toEqual(["logs", `spark-kubernetes-${role}`]);
    expect(pod.spec?.initContainers).toEqual([{ name: "warm" }]);
  });

  it.each([
    ["name", "name-vol"],
    ["a".repeat(70), "a".repeat(63)],
    ["settings.v1", expect.stringMatching(/^settings-v1-[0-9a-f]{8}-vol$/)],
    [`${"b".repeat(62)}-c`, expect.stringMatching(/^b{50}-[0-9a-f]{8}-vol$/)],
  ])("have ConfigMap %s as volume %s", (name, volume) => {
    const { container } = make(withFields({ configMaps: [{ name, path: "/here" }] }));
    expect(container.volumeMounts?.find(({ mountPath }) => mountPath === "/here")?.name).toEqual(volume);
  });

  it("mount a volume as often as it is asked for, and nothing that is not there", () => {
    const { pod, container } = make(
      withFields(
        {
          volumeMounts: [
            { name: "data", mountPath: "/a", subPath: "a" },
            { name: "nowhere", mountPath: "/n" },
            { name: "data", mountPath: "/b" },
            { name: "spark-local-dir-1", mountPath: "/tmp/local" },
          ],
        },
        AROUND,
      ),
    );
    expect(pod.spec?.volumes?.filter(({ name }) => ["data", "nowhere", "unused"].includes(name))).toEqual([
      { name: "data", emptyDir: {} },
    ]);
    const paths = container.volumeMounts?.map(({ mountPath }) => mountPath);
    expect(paths).toEqual(expect.arrayContaining(["/a", "/b"]));
    expect(paths).not.toContain("/n");
    expect(paths).not.toContain("/tmp/local");
  });

  it("have the volumes that only a sidecar or an init container mounts, once", () => {
    const mounting = (name: string, ...volumes: string[]) => ({
      ...{ name, image: "busybox" },
      volumeMounts: volumes.map((volume) => ({ name: volume, mountPath: `/${volume}` })),
    });
    const own = ["keys-volume", "cm-vol", "of-template", "of-conf", "spark-local-dir-2", "spark-conf-volume-driver"];
    const { pod, container } = make(
      withFields(
        {
          initContainers: [mounting("sync", "code", ...own)],
          sidecars: [mounting("agent", "code", "logs", "elsewhere")],
          secrets: [{ name: "keys", path: "/keys", secretType: "Generic" }],
          configMaps: [{ name: "cm", path: "/cm" }],
          template: { spec: { volumes: [{ name: "of-template", emptyDir: {} }] } },
        },
        {
          volumes: ["code", "logs", "unused", ...own].map((name) => ({ name, emptyDir: {} })),
          sparkConf: { [`spark.kubernetes.${role}.volumes.emptyDir.of-conf.mount.path`]: "/x" },
        },
      ),
    );
    const names = (pod.spec?.volumes ?? []).map(({ name }) => name);
    expect(names.filter((name) => ["code", "logs", "unused", "elsewhere"].includes(name)).sort()).toEqual([
      "code",
      "logs",
    ]);
    expect(names.filter((name) => own.includes(name)).length).toBeLessThan(own.length);
    expect(new Set(names).size).toBe(names.length);
    expect(container.volumeMounts?.map(({ name }) => name)).not.toContain("code");
  });

  it.each<[string, Partial<NonNullable<SparkApplicationSpec["monitoring"]>>, string[]]>([
    ["shows its metrics", {}, ["metrics"]],
    ["has both files in its image", { metricsPropertiesFile: "/m" }, []],
    ["does not show them", { exposeDriverMetrics: false, exposeExecutorMetrics: false }, []],
  ])("open the exporter's port only where a role %s", (_, part, ports) => {
    const prometheus = { jmxExporterJar: "/jmx.jar", portName: "metrics", configFile: "/c" };
    const monitoring = { exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheus, ...part };
    const { container } = make(withFields({}, { monitoring }));
    expect((container.ports ?? []).filter(({ name }) => name === "metrics").map(({ name }) => name)).toEqual(ports);
  });
});

describe("webhookFields", () => {
  it("binds the driver to its application, once", () => {
    const app = application();
    const reference = {
      apiVersion: "sparkoperator.k8s.io/v1beta2",
      kind: "SparkApplication",
      name: "pi",
      uid: app.metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    };
    expect(driverPodWith(webhookFields(app), SPARK).pod.metadata?.ownerReferences).toEqual([reference]);
    const template: Pod = { metadata: { ownerReferences: [reference] }, spec: {} };
    expect(driverPodWith(webhookFields(app), { ...SPARK, template }).pod.metadata?.ownerReferences).toEqual([
      reference,
    ]);
  });

  it("has an executor half only where it is asked for", () => {
    expect(webhookFields(application())).not.toHaveProperty("configureExecutor");
    expect(webhookFields(application(), { executors: true })).toHaveProperty("configureExecutor");
  });

  it("overrides nothing that the application does not name", () => {
    expect(webhookFields(application(), { executors: true }).overrides).toEqual([]);
    const fields = { nodeSelector: { zone: "a", "disk.type": "ssd" }, memoryLimit: "1g", priorityClassName: "high" };
    expect(webhookFields(application({ ...fields, env: [{ name: "A" }] })).overrides).toEqual([
      "driverPod.spec.priorityClassName",
      "driverPod.spec.priority",
      "driverPod.spec.preemptionPolicy",
      "driverPod.spec.nodeSelector.zone",
      "driverPod.spec.nodeSelector[disk.type]",
      "driverContainer.resources.limits.memory",
    ]);
  });

  it.each<[string, Step]>([
    ["with nothing", webhookFields(application(), { executors: true })],
    ["with everything", webhookFields(application(EVERYTHING, EVERYTHING, AROUND), { executors: true })],
  ])("is a good step %s", (_, step) => {
    const examination = { submissions: [sampleSubmission(SPARK)], executors: [sampleExecutor(SPARK)] };
    expect(examineStep(step, examination)).toEqual([]);
  });
});
