// Applications with random values in every field that the stock webhook reads. The same seed gives the same applications.
import type { Volume } from "@kindling/core-spec";
import type { SparkApplication } from "@kindling/spark-application";
import { type Draw, drawing, withoutUnset } from "../drawing.ts";

/** An application. Some have a pod template, sidecars that are already there, volumes that are not mounted, and so on. */
export function generatedApplication(seed: number): SparkApplication {
  const draw = drawing(seed);
  const { below, one, maybe } = draw;
  const volumes = someVolumes(draw);
  return withoutUnset({
    apiVersion: "sparkoperator.k8s.io/v1beta2",
    kind: "SparkApplication",
    metadata: {
      name: `app-${seed}`,
      namespace: one("default", "spark-jobs"),
      uid: `6a1c3f2e-0000-4000-8000-${String(seed).padStart(12, "0")}`,
      generation: 1 + below(5),
      resourceVersion: String(below(1e6)),
      creationTimestamp: "2026-08-01T00:00:00Z",
      labels: maybe(0.3, () => ({ team: one("a", "b") })) ?? {},
      annotations: {},
    },
    spec: {
      type: "Scala",
      sparkVersion: "4.0.4",
      mode: "cluster",
      image: "docker.io/library/spark:4.0.4",
      mainClass: "org.apache.spark.examples.SparkPi",
      mainApplicationFile: "local:///opt/spark/examples/jars/spark-examples.jar",
      restartPolicy: { type: "Never" },
      sparkConf: sparkConf(draw),
      sparkConfigMap: maybe(0.2, () => "spark-files"),
      hadoopConfigMap: maybe(0.2, () => "hadoop-files"),
      volumes: volumes.length > 0 ? volumes : undefined,
      monitoring: maybe(0.3, () => monitoring(draw)),
      batchScheduler: maybe(0.1, () => one("", "my-scheduler")),
      driver: { cores: 1, memory: "1g", ...role(draw, volumes), template: maybe(0.3, () => template(draw, "driver")) },
      executor: {
        ...{ cores: 1, memory: "1g", instances: 1 },
        ...role(draw, volumes),
        template: maybe(0.3, () => template(draw, "executor")),
      },
    },
    status: {},
  }) as SparkApplication;
}

function role(draw: Draw, volumes: readonly Drawn[]): object {
  const { below, one, maybe, some } = draw;
  return {
    memoryLimit: maybe(0.25, () =>
      one("2g", "2048m", "1536mb", "3gb", "2097152k", "2Gi", "1.5g", "3G".toLowerCase(), "1t"),
    ),
    gpu: maybe(0.25, () => ({ name: one("nvidia.com/gpu", "amd.com/gpu", ""), quantity: one(0, 1, 4) })),
    configMaps: maybe(0.3, () => some(3, (index) => ({ name: configMap(draw, index), path: `/etc/maps/${index}` }))),
    env: maybe(0.5, () => some(5, () => variable(draw))),
    envFrom: maybe(0.25, () =>
      some(2, () =>
        one({ secretRef: { name: "keys" } }, { prefix: "P_", configMapRef: { name: "map", optional: true } }),
      ),
    ),
    volumeMounts: maybe(0.6, () => some(5, (index) => mount(draw, volumes, index))),
    affinity: maybe(0.25, () => affinity(draw)),
    tolerations: maybe(0.3, () => some(3, () => toleration(draw))),
    podSecurityContext: maybe(0.25, () =>
      one(
        {},
        { runAsUser: 185, fsGroup: 185 },
        { supplementalGroups: [1, 2], seccompProfile: { type: "RuntimeDefault" } },
      ),
    ),
    securityContext: maybe(0.3, () => securityContext(draw)),
    schedulerName: maybe(0.2, () => one("", "volcano", "own-scheduler")),
    sidecars: maybe(0.3, () => some(3, () => container(draw))),
    initContainers: maybe(0.3, () => some(3, () => container(draw))),
    hostNetwork: maybe(0.2, () => one(true, false)),
    nodeSelector: maybe(0.3, () =>
      one({}, { zone: "a" }, { zone: "b", "disk.type": "ssd", "example.com/pool": "spark" }),
    ),
    dnsConfig: maybe(0.2, () =>
      one(
        {},
        { nameservers: ["10.0.0.10"], searches: ["svc"], options: [{ name: "ndots", value: "2" }, { name: "edns0" }] },
      ),
    ),
    terminationGracePeriodSeconds: maybe(0.25, () => one(0, 1, 90)),
    hostAliases: maybe(0.2, () =>
      some(2, (index) => ({ ip: `10.1.0.${index}`, hostnames: ["a", "b"].slice(below(2)) })),
    ),
    shareProcessNamespace: maybe(0.2, () => one(true, false)),
    lifecycle: maybe(0.2, () =>
      one(
        {},
        { preStop: { exec: { command: ["sleep", "5"] } } },
        { postStart: { httpGet: { path: "/", port: 80 } }, preStop: { sleep: { seconds: 3 } } },
      ),
    ),
    ports: maybe(0.25, () =>
      some(2, (index) => ({ name: `port-${index}`, protocol: one("TCP", "UDP"), containerPort: 9000 + below(100) })),
    ),
    priorityClassName: maybe(0.25, () => one("", "high", "system-node-critical")),
  };
}

function configMap({ one }: Draw, index: number): string {
  return one("settings", `map-${index}`, "a".repeat(70), `settings.v${index}`);
}

function variable({ one, below }: Draw): object {
  const name = one("A", "B", "LEVEL", "SPARK_USER", "SPARK_CONF_DIR", "HADOOP_CONF_DIR", `V${below(9)}`);
  return one(
    // A driver passes its own user on unchanged.
    { name, value: name === "SPARK_USER" ? "x" : one("", "x", "$(A)/x", "$(SPARK_APPLICATION_ID)", " spaced ") },
    { name, valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
    { name, valueFrom: { secretKeyRef: { name: "keys", key: "k", optional: true } } },
    { name, valueFrom: { resourceFieldRef: { resource: "limits.memory", divisor: "1Mi" } } },
  );
}

/** A volume. Only the members that are used are listed. */
type Drawn = Pick<Volume, "name" | "persistentVolumeClaim" | "hostPath">;

function someVolumes({ one, below, some }: Draw): Drawn[] {
  return some(4, (index): Drawn => ({
    name: one("data", "more", `v${index}`, "spark-local-dir-1"),
    ...one(
      { emptyDir: {} },
      { emptyDir: { medium: "Memory", sizeLimit: one("1Gi", "1024Mi", "500M") } },
      { hostPath: { path: `/host/${below(9)}`, type: "Directory" } },
      { persistentVolumeClaim: { claimName: "claim", readOnly: true } },
    ),
  })).filter(({ name, persistentVolumeClaim, hostPath }) =>
    // For Spark's own volumes, the simple kind is enough here.
    name === "spark-local-dir-1" ? persistentVolumeClaim === undefined && hostPath === undefined : true,
  );
}

function mount({ one, maybe }: Draw, volumes: readonly Drawn[], index: number): object {
  return {
    name: one("nowhere", ...volumes.map(({ name }) => name).filter((name) => name !== "spark-local-dir-1")),
    mountPath: `/mnt/${index}`,
    subPath: maybe(0.2, () => "part"),
    readOnly: maybe(0.3, () => one(true, false)),
    mountPropagation: maybe(0.1, () => "HostToContainer"),
  };
}

function affinity({ one }: Draw): object {
  const term = { labelSelector: { matchLabels: { "spark-role": "driver" } }, topologyKey: "kubernetes.io/hostname" };
  return one(
    {},
    { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
    { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, podAffinityTerm: term }] } },
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }] }],
        },
      },
    },
  );
}

function toleration({ one }: Draw): object {
  return one(
    { operator: "Exists" },
    { key: "batch", operator: "Equal", value: "yes", effect: "NoSchedule" },
    { key: "gone", operator: "Exists", effect: "NoExecute", tolerationSeconds: one(0, 60) },
  );
}

function securityContext({ one }: Draw): object {
  return one(
    {},
    { runAsUser: 185, runAsNonRoot: true },
    { allowPrivilegeEscalation: one(true, false), capabilities: { drop: ["ALL"] } },
    { readOnlyRootFilesystem: false, seccompProfile: { type: "RuntimeDefault" } },
  );
}

function container(draw: Draw): object {
  const { one, maybe } = draw;
  return {
    name: one("logs", "proxy", "warm"),
    image: maybe(0.8, () => one("fluent-bit", "envoy:1")),
    command: maybe(0.3, () => ["sh", "-c", "true"]),
    env: maybe(0.3, () => [variable(draw)]),
    resources: maybe(0.4, () => ({
      requests: { cpu: one("100m", "0.1", "1000m"), memory: "64Mi" },
      limits: { memory: "0.5Gi" },
    })),
    ports: maybe(0.2, () => [{ containerPort: 80 }]),
    restartPolicy: maybe(0.1, () => "Always"),
  };
}

function monitoring({ one, maybe }: Draw): object {
  return {
    exposeDriverMetrics: one(true, true, false),
    exposeExecutorMetrics: one(true, true, false),
    metricsPropertiesFile: maybe(0.4, () => one("/etc/metrics.properties", "")),
    prometheus: maybe(0.8, () => ({
      jmxExporterJar: "/prometheus/jmx.jar",
      port: maybe(0.4, () => 9404),
      portName: maybe(0.4, () => "metrics"),
      configFile: maybe(0.4, () => one("/etc/prometheus.yaml", "")),
    })),
  };
}

/** A pod template for Spark, with fields that the webhook changes. */
function template(draw: Draw, of: "driver" | "executor"): object {
  const { one, maybe, some } = draw;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { labels: { from: "template" }, annotations: maybe(0.3, () => ({ note: "template" })) },
    spec: {
      containers: shuffled(
        draw,
        {
          name: `spark-kubernetes-${of}`,
          env: maybe(0.4, () => [{ name: "A", value: "template" }]),
          securityContext: maybe(0.4, () => ({ privileged: true, runAsUser: 7 })),
          lifecycle: maybe(0.3, () => ({ preStop: { exec: { command: ["template"] } } })),
          resources: maybe(0.3, () => ({ limits: { "nvidia.com/gpu": "8", "ephemeral-storage": "1Gi" } })),
          ports: maybe(0.2, () => [{ containerPort: 1234, name: "template" }]),
        },
        some(2, () => container(draw)),
      ),
      initContainers: maybe(0.3, () => some(2, () => container(draw))),
      nodeSelector: maybe(0.3, () => ({ zone: "template", kept: "yes" })),
      tolerations: maybe(0.3, () => [toleration(draw)]),
      affinity: maybe(0.3, () => affinity(draw)),
      securityContext: maybe(0.3, () => ({ runAsGroup: 3 })),
      schedulerName: maybe(0.2, () => "template-scheduler"),
      priority: maybe(0.2, () => 10),
      preemptionPolicy: maybe(0.2, () => "Never"),
      priorityClassName: maybe(0.2, () => "template-class"),
      hostNetwork: maybe(0.2, () => one(true, false)),
      dnsPolicy: maybe(0.2, () => "Default"),
      dnsConfig: maybe(0.2, () => ({ nameservers: ["1.1.1.1"] })),
      terminationGracePeriodSeconds: maybe(0.2, () => 5),
      shareProcessNamespace: maybe(0.2, () => one(true, false)),
      hostAliases: maybe(0.2, () => [{ ip: "10.9.9.9", hostnames: ["t"] }]),
      volumes: maybe(0.2, () => [{ name: "template-volume", emptyDir: {} }]),
    },
  };
}

/** The list with the first item put at a random place. */
function shuffled<T>({ below }: Draw, first: T, others: readonly T[]): T[] {
  return others.toSpliced(below(others.length + 1), 0, first);
}

/** Keys that make Spark set the same fields, which the webhook then changes. */
function sparkConf({ maybe, one }: Draw): object {
  return {
    "spark.kubernetes.node.selector.zone": maybe(0.1, () => "conf"),
    "spark.kubernetes.driver.node.selector.pool": maybe(0.1, () => "conf"),
    "spark.kubernetes.executor.node.selector.pool": maybe(0.1, () => "conf"),
    "spark.kubernetes.scheduler.name": maybe(0.1, () => "conf-scheduler"),
    "spark.kubernetes.executor.scheduler.name": maybe(0.1, () => "executor-scheduler"),
    "spark.kubernetes.driverEnv.LEVEL": maybe(0.1, () => "conf"),
    "spark.executorEnv.LEVEL": maybe(0.1, () => "conf"),
    "spark.decommission.enabled": maybe(0.1, () => one("true", "false")),
    "spark.kubernetes.local.dirs.tmpfs": maybe(0.1, () => "true"),
  };
}
