// Applications and settings with random values in every field that the stock operator reads to make the objects around an
// application. The same seed gives the same values.
import type { SparkApplication } from "@kindling/spark-application";
import type { IngressTLS } from "kubernetes-types/networking/v1.js";
import { type Draw, drawing, withoutUnset } from "../drawing.ts";

const URLS: readonly string[] = [
  "{{$appName}}.example.com",
  "https://spark.example.com/{{$appNamespace}}/{{ $appName }}",
  "spark.example.com/{{$appName}}/{{$appId}}/",
  "http://{{$appName}}.example.com:8443",
  "spark.example.com/",
  "spark.example.com/a b/%7Eu/{{$other}}",
  "//spark.example.com/x",
  "spark.example.com:80/{{$appName}}",
  "http://spark.example.com/?q={{$appName}}#top",
];
const BAD_URLS: readonly string[] = ["http://{{$other}}/", "1.2.3.4:80/x", "http://h:p/", "http://h/%zz", ":80"];

/** Settings of the operator, with the stock names. */
export interface SurroundingSettings {
  readonly enableService: boolean;
  readonly ingressClassName: string;
  readonly ingressUrlFormat: string;
  readonly ingressTls: readonly IngressTLS[];
  readonly ingressAnnotations: Readonly<Record<string, string>>;
  readonly enableBatchScheduler: boolean;
  readonly kubeSchedulerNames: readonly string[];
  readonly defaultBatchScheduler: string;
}

export interface SurroundingsRequest {
  readonly application: SparkApplication;
  readonly submissionId: string;
  readonly sparkApplicationId: string;
  readonly settings: SurroundingSettings;
}

export function generatedRequest(seed: number): SurroundingsRequest {
  const draw = drawing(seed);
  const { one, oneOf, maybe } = draw;
  // Our operator shortens more names than the stock one. Stock names are compared if no other object has the long name.
  const isLong = maybe(0.1, () => true) ?? false;
  return withoutUnset({
    application: application(draw, seed, isLong),
    submissionId: `3e0b7cf4-3a0f-8f1c-9a3b-${String(seed).padStart(12, "0")}`,
    sparkApplicationId: `spark-${String(seed).padStart(32, "0")}`,
    settings: {
      enableService: maybe(0.8, () => true) ?? false,
      ingressClassName: one("", "nginx"),
      ingressUrlFormat: maybe(0.05, () => oneOf(BAD_URLS)) ?? maybe(0.7, () => oneOf(URLS)) ?? "",
      ingressTls: one([], [], [{ hosts: ["operator.example.com"], secretName: "operator" }]),
      ingressAnnotations: one({}, {}, { of: "operator" }),
      enableBatchScheduler: maybe(0.8, () => true) ?? false,
      kubeSchedulerNames: ["gang-scheduler"],
      defaultBatchScheduler: isLong ? "" : one("", "", "volcano", "yunikorn", "gang-scheduler"),
    },
  }) as SurroundingsRequest;
}

function application(draw: Draw, seed: number, isLong: boolean): object {
  const { below, one, maybe } = draw;
  return {
    apiVersion: "sparkoperator.k8s.io/v1beta2",
    kind: "SparkApplication",
    metadata: {
      name: isLong ? `app-${seed}-${"x".repeat(40 + below(18))}` : `app-${seed}`,
      namespace: one("default", "team"),
      uid: `6a1c3f2e-0000-4000-8000-${String(seed).padStart(12, "0")}`,
      generation: 1,
      resourceVersion: "7",
      creationTimestamp: "2026-08-01T00:00:00Z",
      labels: one({}, { team: "data" }),
      annotations: {},
    },
    spec: {
      type: one("Java", "Scala", "Python", "R"),
      mode: "cluster",
      sparkVersion: "4.0.4",
      mainApplicationFile: "local:///opt/app.jar",
      restartPolicy: { type: "Never" },
      sparkConf: maybe(0.5, () => sparkConf(draw)),
      nodeSelector: maybe(0.2, () => ({ disk: "ssd", zone: "a" })),
      memoryOverheadFactor: maybe(0.2, () => one("0.2", "0", "1e-1", ".5", "ten")),
      monitoring: maybe(0.4, () => monitoring(draw)),
      sparkUIOptions: maybe(0.4, () => uiOptions(draw)),
      driverIngressOptions: isLong ? undefined : maybe(0.4, () => driverIngresses(draw)),
      batchScheduler: isLong ? undefined : maybe(0.6, () => one("", "volcano", "yunikorn", "gang-scheduler", "other")),
      batchSchedulerOptions: maybe(0.5, () => ({
        queue: maybe(0.7, () => one("root.default", "etl")),
        priorityClassName: maybe(0.4, () => "high"),
        resources: maybe(0.3, () => ({ cpu: "3", memory: "4Gi", "nvidia.com/gpu": "1" })),
      })),
      dynamicAllocation: maybe(0.3, () => ({
        enabled: one(true, true, false),
        initialExecutors: maybe(0.5, () => below(6)),
        minExecutors: maybe(0.5, () => below(6)),
      })),
      driver: role(draw),
      executor: { ...role(draw), instances: maybe(0.8, () => below(5)) },
    },
    status: { driverInfo: {}, applicationState: { state: "" } },
  };
}

function sparkConf({ one, maybe }: Draw): object {
  return {
    "spark.ui.port": maybe(0.4, () => one("4050", "ui", "99999999999", "+4051")),
    "spark.ui.proxyBase": maybe(0.2, () => "/mine"),
    "spark.metrics.conf": maybe(0.2, () => "/mine.properties"),
    "spark.executor.pyspark.memory": maybe(0.3, () => one("512", "1g", "300MB")),
    "spark.memory.offHeap.enabled": maybe(0.4, () => one("true", "false")),
    "spark.memory.offHeap.size": maybe(0.4, () => one("1g", "500m", "7kb")),
  };
}

function role({ below, one, maybe }: Draw): object {
  return {
    cores: maybe(0.8, () => 1 + below(4)),
    coreRequest: maybe(0.3, () => one("500m", "1", "0.25", "half")),
    coreLimit: maybe(0.3, () => one("1200m", "2")),
    memory: maybe(0.9, () => one("512m", "1g", "2G", "10gb", "1Gi", "3t")),
    memoryOverhead: maybe(0.3, () => one("100m", "1g", "512k")),
    labels: maybe(0.3, () => one({}, { role: "x" })),
    annotations: maybe(0.3, () => one({}, { note: "x" }, { "scheduling.k8s.io/group-name": "mine" })),
    javaOptions: maybe(0.3, () => one("", "-Da=b")),
    schedulerName: maybe(0.2, () => "mine"),
    nodeSelector: maybe(0.2, () => ({ zone: "b" })),
    tolerations: maybe(0.2, () => one([], [{ key: "spot", operator: "Exists", effect: "NoSchedule" }])),
    affinity: maybe(0.2, () =>
      one({}, { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "host" }] } }),
    ),
  };
}

function monitoring({ one, maybe }: Draw): object {
  return {
    exposeDriverMetrics: one(true, false),
    exposeExecutorMetrics: one(true, false),
    metricsProperties: maybe(0.3, () => one("", "a=b")),
    metricsPropertiesFile: maybe(0.3, () => one("", "/image/metrics.properties")),
    prometheus: maybe(0.8, () => ({
      jmxExporterJar: "/prometheus/agent.jar",
      port: maybe(0.5, () => 9099),
      portName: maybe(0.3, () => "metrics"),
      configFile: maybe(0.3, () => one("", "/image/prometheus.yaml")),
      configuration: maybe(0.3, () => one("", "rules: []\n")),
    })),
  };
}

function serviceOptions({ one, maybe }: Draw): object {
  return {
    servicePortName: maybe(0.5, () => "web"),
    serviceType: maybe(0.4, () => one("ClusterIP", "NodePort", "LoadBalancer")),
    serviceAnnotations: maybe(0.3, () => one({}, { of: "service" })),
    serviceLabels: maybe(0.3, () => one({}, { of: "service" })),
  };
}

function uiOptions(draw: Draw): object {
  const { one, maybe } = draw;
  return {
    ...serviceOptions(draw),
    servicePort: maybe(0.5, () => one(80, 4041)),
    ingressAnnotations: maybe(0.4, () => one({}, { of: "application" })),
    ingressTLS: maybe(0.3, () => one([], [{ hosts: ["own.example.com"] }])),
  };
}

function driverIngresses(draw: Draw): object[] {
  const { below, oneOf, maybe } = draw;
  return Array.from({ length: 1 + below(2) }, (_, index) => ({
    ...serviceOptions(draw),
    servicePort: maybe(0.95, () => 9000 + index),
    ingressURLFormat: maybe(0.05, () => oneOf(BAD_URLS)) ?? maybe(0.7, () => oneOf(URLS)) ?? "",
  }));
}
