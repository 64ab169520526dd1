import { EMPTY_META, META } from "./meta-shape.ts";
import { DRIVER, EXECUTOR, VOLUME } from "./pod-shapes.ts";
import {
  fields,
  flag,
  list,
  map,
  oneOf,
  open,
  orElse,
  quantity,
  required,
  text,
  time,
  whole,
  type MembersOf,
  type Shape,
} from "./shape.ts";
import type {
  BatchSchedulerConfiguration,
  Dependencies,
  DriverIngressConfiguration,
  DynamicAllocation,
  MonitoringSpec,
  PrometheusSpec,
  RestartPolicy,
  SparkApplication,
  SparkApplicationSpec,
  SparkUIConfiguration,
} from "../spark-application.ts";
import {
  APPLICATION_STATES,
  NO_STATUS,
  type DriverInfo,
  type EndedAttempt,
  type SparkApplicationStatus,
} from "../status.ts";

const UI: MembersOf<SparkUIConfiguration> = {
  servicePort: whole(32),
  servicePortName: text(),
  serviceType: text(),
  serviceAnnotations: map(text()),
  serviceLabels: map(text()),
  ingressAnnotations: map(text()),
  ingressTLS: list(
    open<NonNullable<SparkUIConfiguration["ingressTLS"]>[number]>({ hosts: list(text()), secretName: text() }),
  ),
};

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
  deps: fields<Dependencies>({
    jars: list(text()),
    files: list(text()),
    pyFiles: list(text()),
    packages: list(text()),
    excludePackages: list(text()),
    repositories: list(text()),
    archives: list(text()),
  }),
  restartPolicy: fields<RestartPolicy>({
    type: oneOf("Never", "Always", "OnFailure"),
    onSubmissionFailureRetries: whole(32, { minimum: 0 }),
    onFailureRetries: whole(32, { minimum: 0 }),
    onSubmissionFailureRetryInterval: whole(64, { minimum: 1 }),
    onFailureRetryInterval: whole(64, { minimum: 1 }),
  }),
  suspend: flag(),
  timeToLiveSeconds: whole(64),
  nodeSelector: map(text()),
  pythonVersion: oneOf("2", "3"),
  memoryOverheadFactor: text(),
  monitoring: fields<MonitoringSpec>({
    exposeDriverMetrics: required(flag(), false),
    exposeExecutorMetrics: required(flag(), false),
    metricsProperties: text(),
    metricsPropertiesFile: text(),
    prometheus: fields<PrometheusSpec>({
      jmxExporterJar: required(text()),
      port: whole(32, { minimum: 1024, maximum: 49_151 }),
      portName: text(),
      configFile: text(),
      configuration: text(),
    }),
  }),
  batchScheduler: text(),
  batchSchedulerOptions: fields<BatchSchedulerConfiguration>({
    queue: text(),
    priorityClassName: text(),
    resources: map(quantity()),
  }),
  sparkUIOptions: fields<SparkUIConfiguration>(UI),
  driverIngressOptions: list(fields<DriverIngressConfiguration>({ ...UI, ingressURLFormat: text() })),
  dynamicAllocation: fields<DynamicAllocation>({
    enabled: flag(),
    initialExecutors: whole(32),
    minExecutors: whole(32),
    maxExecutors: whole(32),
    shuffleTrackingEnabled: flag(),
    shuffleTrackingTimeout: whole(64),
  }),
  driverPodDisruptionBudget: flag(),
});

const STATUS = fields<SparkApplicationStatus>({
  sparkApplicationId: text(),
  submissionID: text(),
  lastSubmissionAttemptTime: time(),
  terminationTime: time(),
  driverInfo: orElse(
    fields<DriverInfo>({
      webUIServiceName: text(),
      webUIAddress: text(),
      webUIPort: whole(32),
      webUIIngressName: text(),
      webUIIngressAddress: text(),
      podName: text(),
    }),
    NO_STATUS.driverInfo,
  ),
  applicationState: orElse(
    fields<SparkApplicationStatus["applicationState"]>({
      state: orElse(oneOf(...APPLICATION_STATES), ""),
      errorMessage: text(),
    }),
    NO_STATUS.applicationState,
  ),
  executorState: map(oneOf("PENDING", "RUNNING", "COMPLETED", "FAILED", "UNKNOWN")),
  // A negative number, set by hand, would allow more retries than the spec.
  executionAttempts: whole(32, { minimum: 0 }),
  submissionAttempts: whole(32, { minimum: 0 }),
  attempts: list(
    fields<EndedAttempt>({
      outcome: required(oneOf("COMPLETED", "FAILED", "SUBMISSION_FAILED")),
      submissionID: text(),
      startTime: time(),
      endTime: time(),
      exitCode: whole(32),
      errorMessage: text(),
      diagnosis: text(),
    }),
  ),
});

export const SPARK_APPLICATION: Shape<Omit<SparkApplication, "apiVersion" | "kind">> = fields<
  Omit<SparkApplication, "apiVersion" | "kind">
>({
  metadata: required(META, EMPTY_META),
  spec: required(SPEC, EMPTY_SPEC),
  status: orElse(STATUS, NO_STATUS),
});
