export type { SparkApplication, SparkApplicationSpec } from "./api/v1beta2/spark-application.ts";
export type { SparkApplicationStatus } from "./api/v1beta2/status.ts";
export type {
  ScheduledSparkApplication,
  ScheduledSparkApplicationSpec,
  ScheduledSparkApplicationStatus,
} from "./api/v1beta2/scheduled-spark-application.ts";
export { flagsReference } from "./flags/usage.ts";
export { parseFlags, type ParsedFlags } from "./flags/parse-flags.ts";
export type { OperatorSettings } from "./flags/operator-settings.ts";
export { runOperator, type RunOptions } from "./run-operator.ts";
