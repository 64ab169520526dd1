import { readFileSync } from "node:fs";
import { OPERATOR_CHART } from "./helm.ts";
import { NAMESPACE, renderChart, type Rendered, valueFlags, type Values } from "./render.ts";

/**
 * The objects that the operator's chart makes from values, on a Kubernetes with Prometheus' operator. @throws Error with
 * Helm's message
 */
export async function renderOperator(values: Values = {}, release = "spark-operator"): Promise<Rendered[]> {
  const cluster = ["--kube-version", "1.31.0", "--api-versions", "monitoring.coreos.com/v1/PodMonitor"];
  return await renderChart(OPERATOR_CHART, release, [...cluster, ...valueFlags(values)]);
}

interface Recorded {
  /** All defaults of kubeflow's chart. */
  readonly values: Values;
  /** The objects that kubeflow's chart makes from some values; `recorded/kubeflow-2.5.2.json` describes how. */
  readonly installations: readonly {
    readonly name: string;
    readonly release: string;
    readonly values: Values;
    readonly objects: readonly Identity[];
  }[];
}

/** The fields by which an upgrade finds an object, and the fields that can never change. */
export interface Identity {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly selector?: Readonly<Record<string, string>>;
  readonly account?: string;
  readonly ports?: readonly object[];
  readonly container?: string;
  readonly subjects?: readonly string[];
  readonly role?: string;
}

export const KUBEFLOW_CHART: Recorded = JSON.parse(
  readFileSync(new URL("../recorded/kubeflow-2.5.2.json", import.meta.url), "utf8"),
) as Recorded;

/** Installations that the operator's chart must support, by their special feature. */
export const OPERATOR_VARIANTS: Readonly<Record<string, Values>> = {
  "with default values": {},
  "with kubeflow's default values": KUBEFLOW_CHART.values,
  "for namespaces": { "spark.jobNamespaces": ["etl", "adhoc"] },
  "for all namespaces": { "spark.jobNamespaces": [] },
  "for a selector": { "spark.jobNamespaces": [], "spark.jobNamespaceSelector": "spark in (yes)" },
  "with several operators": {
    "controller.replicas": 3,
    "controller.podDisruptionBudget": { enable: true, minAvailable: 2 },
    "controller.topologySpreadConstraints": [
      { maxSkew: 1, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "DoNotSchedule" },
    ],
  },
  "without accounts, rights and metrics": {
    "controller.serviceAccount.create": false,
    "controller.rbac.create": false,
    "controller.leaderElection.enable": false,
    "spark.serviceAccount.create": false,
    "spark.rbac.create": false,
    "prometheus.metrics.enable": false,
  },
  "with metrics for some and a port for a sidecar": {
    "networkPolicy.monitoring": [{ namespaceSelector: { matchLabels: { team: "ops" } } }],
    "networkPolicy.ingress": [{ ports: [{ port: 9000 }] }],
  },
  "without a network policy": { "networkPolicy.enabled": false },
  "with a monitor": { "prometheus.podMonitor": { create: true, labels: { release: "prometheus" } } },
  "with all features": {
    "controller.uiIngress": {
      ...{ enable: true, urlFormat: "{{$appName}}.spark.example", ingressClassName: "nginx" },
      tls: [{ hosts: ["*.spark.example"], secretName: "tls" }],
    },
    "controller.batchScheduler": { enable: true, kubeSchedulerNames: ["gang"], default: "volcano" },
    "controller.driverPodDisruptionBudget.enable": true,
    "controller.defaultTimeToLiveSeconds": 86_400,
    "webhook.resourceQuotaEnforcement.enable": true,
    kindling: {
      ...{ submissions: 80, gateway: `${NAMESPACE}/kindling-gateway`, driverVolumeClaims: true },
      extraRules: [{ apiGroups: ["batch"], resources: ["jobs"], verbs: ["create"] }],
    },
  },
  "with all that pods may have": {
    "image.registry": "registry.example/team/",
    "image.pullSecrets": [{ name: "registry-key" }],
    commonLabels: { team: "data" },
    controller: {
      labels: { team: "data" },
      annotations: { "example.com/owner": "data" },
      deploymentAnnotations: { "example.com/owner": "data" },
      volumes: [{ name: "files", emptyDir: {} }],
      volumeMounts: [{ name: "files", mountPath: "/files" }],
      nodeSelector: { disk: "ssd" },
      affinity: { nodeAffinity: {} },
      tolerations: [{ key: "spark", operator: "Exists" }],
      priorityClassName: "system-cluster-critical",
      hostUsers: false,
      env: [{ name: "HTTPS_PROXY", value: "http://proxy:3128" }],
      envFrom: [{ configMapRef: { name: "env" } }],
      resources: { requests: { cpu: 1 }, limits: { memory: "1Gi" } },
      sidecars: [{ name: "proxy", image: "proxy:1" }],
    },
  },
};
