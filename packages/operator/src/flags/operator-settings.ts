import type { GatewayPlace } from "@kindling/gateway-client";
import type { IngressTLS } from "kubernetes-types/networking/v1.js";
import type { TimestampPrecision } from "../schedule/scheduled-run.ts";

/** What the flags of `controller start` say, read and checked. Durations are milliseconds unless the name says otherwise. */
export interface OperatorSettings {
  readonly kubeconfig: string | undefined;
  /** The namespaces that are served; all if this is empty and there is no selector. */
  readonly namespaces: readonly string[];
  /** A label selector: namespaces that it matches are served too. */
  readonly namespaceSelector: string | undefined;
  readonly controllerThreads: number;
  readonly cacheSyncTimeoutMs: number;
  readonly maxTrackedExecutorPerApp: number;
  /** For applications that name none; 0 is none. */
  readonly defaultTimeToLiveSeconds: number;
  readonly enableDriverPdb: boolean;
  readonly enforceResourceQuota: boolean;
  readonly batchScheduler: BatchSchedulerSettings;
  readonly ui: UiSettings;
  readonly leaderElection: LeaderElectionSettings | undefined;
  readonly driverPodCreationGracePeriodMs: number;
  /** How many requests a second; undefined means no limit. */
  readonly kubeApi: { readonly qps: number | undefined; readonly burst: number | undefined };
  readonly metrics: MetricsSettings | undefined;
  /** `:8081`, or undefined for none. */
  readonly healthProbeBindAddress: string | undefined;
  readonly timestampPrecision: TimestampPrecision;
  readonly featureGates: ReadonlySet<FeatureGate>;
  /** How many submissions may be under way at a time. */
  readonly submissions: number;
  /** The gateway that is asked which executors it has promised; undefined for none. */
  readonly gateway: GatewayPlace | undefined;
  /**
   * Entries that every application's `sparkConf` gets; any other entry wins over them. No flag sets them: they are for a
   * local cluster, where drivers do not find the API server at its usual address.
   */
  readonly sparkConf?: Readonly<Record<string, string>>;
  /** A file for the audit log, `-` for stdout; undefined for none. */
  readonly auditLogPath?: string | undefined;
  /** The lowest level that is logged. */
  readonly logLevel: "debug" | "info" | "warn" | "error";
}

export type FeatureGate = "PartialRestart" | "LoadSparkDefaults" | "RestSubmitter" | "DefaultTimeToLive";

export interface BatchSchedulerSettings {
  readonly enabled: boolean;
  readonly kubeSchedulerNames: readonly string[];
  readonly default: string | undefined;
}

export interface UiSettings {
  readonly enableService: boolean;
  readonly ingressClassName: string | undefined;
  /** With placeholders `{{$appName}}`, `{{$appNamespace}}` and `{{$appId}}`. */
  readonly ingressUrlFormat: string | undefined;
  readonly ingressTls: readonly IngressTLS[];
  readonly ingressAnnotations: Readonly<Record<string, string>>;
}

export interface LeaderElectionSettings {
  readonly name: string;
  readonly namespace: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

export interface MetricsSettings {
  /** `:8080` or `127.0.0.1:8080`. */
  readonly bindAddress: string;
  /** Path: `/metrics`. */
  readonly endpoint: string;
  readonly prefix: string;
  /** Labels of each series, read from the application's labels; `namespace` is its namespace. */
  readonly labels: readonly string[];
  /** Upper bounds in seconds. */
  readonly jobSubmitLatencyBuckets: readonly number[];
  readonly jobStartLatencyBuckets: readonly number[];
}
