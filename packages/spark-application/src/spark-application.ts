import type { Volume } from "@kindling/core-spec";
import type { IngressTLS } from "kubernetes-types/networking/v1.js";
import type { API_VERSION } from "./custom-resources.ts";
import type { DriverSpec, ExecutorSpec } from "./pod-spec.ts";
import type { SparkApplicationStatus } from "./status.ts";

/** A SparkApplication as it is read from the API server (kubeflow/spark-operator v2.5.2, api/v1beta2). */
export interface SparkApplication {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: "SparkApplication";
  readonly metadata: ApplicationMeta;
  readonly spec: SparkApplicationSpec;
  /** The operator's status; empty for an application that the operator has not handled yet. */
  readonly status: SparkApplicationStatus;
}

/** The part of `metadata` that the operator reads. Times are as in JSON: RFC 3339 in UTC, whole seconds. */
export interface ApplicationMeta {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly generation: number;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface SparkApplicationSpec {
  readonly type: "Java" | "Python" | "Scala" | "R";
  readonly sparkVersion: string;
  readonly mode?: "cluster" | "client" | "in-cluster-client";
  readonly proxyUser?: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly imagePullSecrets?: readonly string[];
  readonly mainClass?: string;
  readonly mainApplicationFile: string;
  readonly arguments?: readonly string[];
  readonly sparkConf?: Readonly<Record<string, string>>;
  readonly hadoopConf?: Readonly<Record<string, string>>;
  readonly sparkConfigMap?: string;
  readonly hadoopConfigMap?: string;
  readonly volumes?: readonly Volume[];
  readonly driver: DriverSpec;
  readonly executor: ExecutorSpec;
  readonly deps?: Dependencies;
  readonly restartPolicy?: RestartPolicy;
  readonly suspend?: boolean;
  readonly timeToLiveSeconds?: number;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly pythonVersion?: string;
  readonly memoryOverheadFactor?: string;
  readonly monitoring?: MonitoringSpec;
  readonly batchScheduler?: string;
  readonly batchSchedulerOptions?: BatchSchedulerConfiguration;
  readonly sparkUIOptions?: SparkUIConfiguration;
  readonly driverIngressOptions?: readonly DriverIngressConfiguration[];
  readonly dynamicAllocation?: DynamicAllocation;
  readonly driverPodDisruptionBudget?: boolean;
}

export interface Dependencies {
  readonly jars?: readonly string[];
  readonly files?: readonly string[];
  readonly pyFiles?: readonly string[];
  readonly packages?: readonly string[];
  readonly excludePackages?: readonly string[];
  readonly repositories?: readonly string[];
  readonly archives?: readonly string[];
}

/** When a driver is started again. Intervals are seconds. */
export interface RestartPolicy {
  readonly type?: "Never" | "OnFailure" | "Always";
  readonly onSubmissionFailureRetries?: number;
  readonly onFailureRetries?: number;
  readonly onSubmissionFailureRetryInterval?: number;
  readonly onFailureRetryInterval?: number;
}

export interface MonitoringSpec {
  readonly exposeDriverMetrics: boolean;
  readonly exposeExecutorMetrics: boolean;
  readonly metricsProperties?: string;
  readonly metricsPropertiesFile?: string;
  readonly prometheus?: PrometheusSpec;
}

export interface PrometheusSpec {
  readonly jmxExporterJar: string;
  readonly port?: number;
  readonly portName?: string;
  readonly configFile?: string;
  readonly configuration?: string;
}

export interface BatchSchedulerConfiguration {
  readonly queue?: string;
  readonly priorityClassName?: string;
  readonly resources?: Readonly<Record<string, string>>;
}

export interface SparkUIConfiguration {
  readonly servicePort?: number;
  readonly servicePortName?: string;
  readonly serviceType?: string;
  readonly serviceAnnotations?: Readonly<Record<string, string>>;
  readonly serviceLabels?: Readonly<Record<string, string>>;
  readonly ingressAnnotations?: Readonly<Record<string, string>>;
  readonly ingressTLS?: readonly IngressTLS[];
}

export interface DriverIngressConfiguration extends SparkUIConfiguration {
  readonly ingressURLFormat?: string;
}

export interface DynamicAllocation {
  readonly enabled?: boolean;
  readonly initialExecutors?: number;
  readonly minExecutors?: number;
  readonly maxExecutors?: number;
  readonly shuffleTrackingEnabled?: boolean;
  /** Milliseconds. */
  readonly shuffleTrackingTimeout?: number;
}
