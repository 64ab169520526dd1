// Values of installations, for both kubeflow's chart and ours.

/** Each installation by its special feature, with its values by their paths, as `--set-json` takes them. */
export const INSTALLATIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "with default values": {},
  "for namespaces": { "spark.jobNamespaces": ["spark-operator", "etl", "ml"] },
  "for all namespaces": { "spark.jobNamespaces": [""] },
  "for an empty list": { "spark.jobNamespaces": [] },
  "for a selector": { "spark.jobNamespaces": [], "spark.jobNamespaceSelector": "spark in (yes,true)" },
  "for namespaces and a selector": { "spark.jobNamespaces": ["etl"], "spark.jobNamespaceSelector": "spark=enabled" },
  "under another name": { nameOverride: "spark", commonLabels: { team: "data" } },
  "under a full name": { fullnameOverride: "operator" },
  "with accounts of one's own": {
    "controller.serviceAccount": { create: false, name: "mine" },
    "spark.serviceAccount": { create: false, name: "drivers" },
  },
  "with named accounts": {
    "controller.serviceAccount": { name: "mine", annotations: { a: "b" }, automountServiceAccountToken: false },
    "controller.rbac.annotations": { c: "d" },
    "spark.serviceAccount": { name: "drivers", annotations: { a: "b" } },
    "spark.rbac.annotations": { e: "f" },
  },
  "with no accounts": { "controller.serviceAccount.create": false, "spark.serviceAccount.create": false },
  "with no rights": { "controller.rbac.create": false, "spark.rbac.create": false },
  "without leader election": { "controller.leaderElection.enable": false },
  "with several operators": {
    "controller.replicas": 3,
    "controller.podDisruptionBudget": { enable: true, minAvailable: 2 },
    "controller.topologySpreadConstraints": [
      { maxSkew: 1, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "DoNotSchedule" },
      {
        ...{ maxSkew: 2, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "ScheduleAnyway" },
        labelSelector: { matchLabels: { more: "yes" } },
      },
    ],
  },
  "with metrics elsewhere": {
    "prometheus.metrics": {
      ...{ port: 9090, portName: "prom", endpoint: "/prom", prefix: "spark_", labels: "app_type,namespace" },
      jobSubmitLatencyBuckets: "1,2",
      jobStartLatencyBuckets: "10,20",
    },
  },
  "without metrics": { "prometheus.metrics.enable": false },
  "with a monitor": { "prometheus.podMonitor": { create: true, labels: { release: "prometheus" } } },
  "with ingresses": {
    "controller.uiIngress": {
      ...{ enable: true, urlFormat: "{{$appName}}.spark.example/{{$appNamespace}}", ingressClassName: "nginx" },
      tls: [{ hosts: ["*.spark.example"], secretName: "tls" }],
      annotations: { "nginx.ingress.kubernetes.io/x": "a & b" },
    },
  },
  "without UI services": { "controller.uiService.enable": false },
  "with batch schedulers": {
    "controller.batchScheduler": { enable: true, kubeSchedulerNames: ["gang", "other"], default: "volcano" },
  },
  "with a profiler": { "controller.pprof.enable": true },
  "with flags": {
    controller: {
      ...{ workers: 40, logLevel: "debug", kubeAPIQPS: 100, kubeAPIBurst: 200, maxTrackedExecutorPerApp: 50_000 },
      driverPodCreationGracePeriod: "1m",
      scheduledSparkApplicationTimestampPrecision: "seconds",
      featureGates: [{ name: "PartialRestart", enabled: true }],
      leaderElection: { leaseDuration: "30s", renewDeadline: "20s", retryPeriod: "5s" },
    },
  },
  "with the definitions upgraded": {
    "hook.upgradeCrd": true,
    "hook.tolerations": [{ key: "spark", operator: "Exists" }],
    "image.pullSecrets": [{ name: "registry-key" }],
  },
  "with all that pods may have": {
    "image.pullSecrets": [{ name: "registry-key" }],
    "image.pullPolicy": "Always",
    controller: {
      labels: { team: "data" },
      annotations: { "example.com/owner": "data" },
      volumes: [{ name: "files", emptyDir: {} }],
      volumeMounts: [{ name: "files", mountPath: "/files" }],
      nodeSelector: { disk: "ssd" },
      affinity: { nodeAffinity: {} },
      tolerations: [{ key: "spark", operator: "Exists" }],
      priorityClassName: "system-cluster-critical",
      podSecurityContext: { fsGroup: 1000 },
      hostUsers: false,
      env: [{ name: "HTTPS_PROXY", value: "http://proxy:3128" }],
      envFrom: [{ configMapRef: { name: "env" } }],
      resources: { requests: { cpu: 1, memory: "1Gi" }, limits: { memory: "2Gi" } },
      securityContext: { runAsUser: 185 },
      sidecars: [{ name: "proxy", image: "proxy:1" }],
      revisionHistoryLimit: 3,
    },
  },
};
