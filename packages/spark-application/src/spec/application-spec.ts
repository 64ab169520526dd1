import type { Volume } from "@kindling/core-spec";
import { fields, flag, list, map, oneOf, required, text, whole, type Shape } from "../shapes/shape.ts";
import { BATCH_SCHEDULER_OPTIONS, type BatchSchedulerConfiguration } from "./batch-scheduler-options.ts";
import { type Dependencies, DEPENDENCIES } from "./dependencies.ts";
import { DYNAMIC_ALLOCATION, type DynamicAllocation } from "./dynamic-allocation.ts";
import { MONITORING, type MonitoringSpec } from "./monitoring.ts";
import { VOLUME } from "./pod-parts.ts";
import { DRIVER, type DriverSpec, EXECUTOR, type ExecutorSpec } from "./pod-spec.ts";
import { RESTART_POLICY, type RestartPolicy } from "./restart-policy.ts";
import { DRIVER_INGRESS, type DriverIngressConfiguration, type SparkUIConfiguration, UI } from "./spark-ui-options.ts";

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

/** Used instead of an unreadable spec: the validation refuses it, and its faults say why. */
export const EMPTY_SPEC: SparkApplicationSpec = {
  type: "Scala",
  sparkVersion: "",
  mainApplicationFile: "",
  driver: {},
  executor: {},
};

export const SPEC: Shape<SparkApplicationSpec> = fields<SparkApplicationSpec>({
  type: required(oneOf("Java", "Python", "Scala", "R"), EMPTY_SPEC.type),
  sparkVersion: required(text(), EMPTY_SPEC.sparkVersion),
  mode: oneOf("cluster", "client", "in-cluster-client"),
  proxyUser: text(),
  image: text(),
  imagePullPolicy: text(),
  imagePullSecrets: list(text()),
  mainClass: text(),
  mainApplicationFile: required(text(), EMPTY_SPEC.mainApplicationFile),
  arguments: list(text()),
  sparkConf: map(text()),
  hadoopConf: map(text()),
  sparkConfigMap: text(),
  hadoopConfigMap: text(),
  volumes: list(VOLUME),
  driver: required(DRIVER, EMPTY_SPEC.driver),
  executor: required(EXECUTOR, EMPTY_SPEC.executor),
  deps: DEPENDENCIES,
  restartPolicy: RESTART_POLICY,
  suspend: flag(),
  timeToLiveSeconds: whole(64),
  nodeSelector: map(text()),
  pythonVersion: oneOf("2", "3"),
  memoryOverheadFactor: text(),
  monitoring: MONITORING,
  batchScheduler: text(),
  batchSchedulerOptions: BATCH_SCHEDULER_OPTIONS,
  sparkUIOptions: UI,
  driverIngressOptions: list(DRIVER_INGRESS),
  dynamicAllocation: DYNAMIC_ALLOCATION,
  driverPodDisruptionBudget: flag(),
});
