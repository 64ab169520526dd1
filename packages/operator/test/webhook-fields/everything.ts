import type { SparkApplicationSpec, SparkPodSpec } from "@kindling/spark-application";

const CONFIG = { name: "config", path: "/etc/config" };

/** A value for each field that the webhook reads. */
export const EVERYTHING: SparkPodSpec = {
  memoryLimit: "3g",
  gpu: { name: "nvidia.com/gpu", quantity: 2 },
  configMaps: [CONFIG],
  env: [{ name: "LEVEL", value: "high" }],
  envFrom: [{ secretRef: { name: "credentials" } }],
  volumeMounts: [{ name: "data", mountPath: "/data" }],
  affinity: { podAntiAffinity: {} },
  tolerations: [{ key: "batch", operator: "Exists" }],
  podSecurityContext: { fsGroup: 185 },
  securityContext: { runAsUser: 185 },
  schedulerName: "binpacking",
  sidecars: [{ name: "logs", image: "fluent-bit" }],
  initContainers: [{ name: "warm", image: "warm" }],
  hostNetwork: true,
  nodeSelector: { "disk.type": "ssd" },
  dnsConfig: { options: [{ name: "ndots", value: "1" }] },
  terminationGracePeriodSeconds: 90,
  hostAliases: [{ ip: "10.0.0.1", hostnames: ["metastore"] }],
  shareProcessNamespace: true,
  lifecycle: { preStop: { exec: { command: ["sync"] } } },
  ports: [{ name: "debug", protocol: "TCP", containerPort: 5005 }],
  priorityClassName: "urgent",
};

export const AROUND: Partial<SparkApplicationSpec> = {
  sparkConfigMap: "spark-files",
  hadoopConfigMap: "hadoop-files",
  volumes: [
    { name: "data", emptyDir: {} },
    { name: "unused", emptyDir: {} },
    { name: "spark-local-dir-1", emptyDir: {} },
  ],
  monitoring: {
    exposeDriverMetrics: true,
    exposeExecutorMetrics: true,
    prometheus: { jmxExporterJar: "/jmx.jar", port: 9090, portName: "metrics" },
  },
};
