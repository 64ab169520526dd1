export { API_VERSION, CONNECT_API_VERSION, customResources } from "./custom-resources.ts";
export { driverPodName } from "./driver-pod-name.ts";
export { OPERATOR_LABELS } from "./operator-labels.ts";
export type { DriverSpec, ExecutorSpec, SparkPodSpec } from "./spec/pod-spec.ts";
export {
  SCHEDULE_STATES,
  type ScheduledSparkApplication,
  type ScheduledSparkApplicationSpec,
  type ScheduledSparkApplicationStatus,
} from "./scheduled-spark-application.ts";
export type { SparkApplicationSpec } from "./spec/application-spec.ts";
export type { DynamicAllocation } from "./spec/dynamic-allocation.ts";
export type { MonitoringSpec, PrometheusSpec } from "./spec/monitoring.ts";
export type { RestartPolicy } from "./spec/restart-policy.ts";
export type { DriverIngressConfiguration, SparkUIConfiguration } from "./spec/spark-ui-options.ts";
export {
  NO_CONNECT_STATUS,
  type ConnectCondition,
  type ConnectState,
  type SparkConnect,
  type SparkConnectStatus,
} from "./spark-connect.ts";
export type { ConnectPodSpec, ConnectServerSpec, ServiceTemplate, SparkConnectSpec } from "./spec/connect-spec.ts";
export type { ApplicationMeta, SparkApplication } from "./spark-application.ts";
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
