export { API_VERSION, customResources } from "./custom-resources.ts";
export { driverPodName } from "./driver-pod-name.ts";
export { OPERATOR_LABELS } from "./operator-labels.ts";
export type { DriverSpec, ExecutorSpec, SparkPodSpec } from "./pod-spec.ts";
export {
  SCHEDULE_STATES,
  type ScheduledSparkApplication,
  type ScheduledSparkApplicationSpec,
  type ScheduledSparkApplicationStatus,
} from "./scheduled-spark-application.ts";
export type {
  ApplicationMeta,
  DriverIngressConfiguration,
  DynamicAllocation,
  MonitoringSpec,
  PrometheusSpec,
  RestartPolicy,
  SparkApplication,
  SparkApplicationSpec,
  SparkUIConfiguration,
} from "./spark-application.ts";
export {
  APPLICATION_STATES,
  NO_STATUS,
  type ApplicationState,
  type DriverInfo,
  type DriverState,
  type EndedAttempt,
  type ExecutorState,
  type SparkApplicationStatus,
} from "./status.ts";
