import type { OperatorSettings } from "../flags/operator-settings.ts";

/** The settings of an operator that serves the namespace of the tests. */
export function testSettings(over: Partial<OperatorSettings> = {}): OperatorSettings {
  return {
    kubeconfig: undefined,
    namespaces: ["spark-jobs"],
    namespaceSelector: undefined,
    controllerThreads: 10,
    cacheSyncTimeoutMs: 30_000,
    maxTrackedExecutorPerApp: 1000,
    defaultTimeToLiveSeconds: 0,
    enableDriverPdb: false,
    enforceResourceQuota: false,
    batchScheduler: { enabled: false, kubeSchedulerNames: [], default: undefined },
    ui: {
      enableService: true,
      ingressClassName: undefined,
      ingressUrlFormat: undefined,
      ingressTls: [],
      ingressAnnotations: {},
    },
    leaderElection: undefined,
    driverPodCreationGracePeriodMs: 10_000,
    kubeApi: { qps: undefined, burst: undefined },
    metrics: undefined,
    healthProbeBindAddress: undefined,
    timestampPrecision: "nanos",
    featureGates: new Set(),
    submissions: 50,
    gateway: undefined,
    logLevel: "debug",
    ...over,
  };
}
