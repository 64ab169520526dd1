import type { API_VERSION } from "./custom-resources.ts";
import type { SparkApplicationSpec } from "./spec/application-spec.ts";
import type { ApplicationMeta } from "./spark-application.ts";

/** A ScheduledSparkApplication as it is read from the API server (kubeflow/spark-operator v2.5.2, api/v1beta2). */
export interface ScheduledSparkApplication {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: "ScheduledSparkApplication";
  readonly metadata: ApplicationMeta;
  readonly spec: ScheduledSparkApplicationSpec;
  readonly status: ScheduledSparkApplicationStatus;
}

export interface ScheduledSparkApplicationSpec {
  /** A cron expression as robfig/cron 3.0.1 reads it. */
  readonly schedule: string;
  /** A name of the time zone database; UTC if unset. */
  readonly timeZone?: string;
  /** The spec of each run, as it was written: the API server completes it in each run. */
  readonly template: SparkApplicationSpec;
  readonly suspend?: boolean;
  readonly concurrencyPolicy?: "Allow" | "Forbid" | "Replace";
  readonly successfulRunHistoryLimit?: number;
  readonly failedRunHistoryLimit?: number;
}

/** The states of a schedule, by stock's names (api/v1beta2, `ScheduleState`). A new schedule has the empty state. */
export const SCHEDULE_STATES = ["", "Validating", "Scheduled", "FailedValidation"] as const;

export type ScheduleState = (typeof SCHEDULE_STATES)[number];

/** Times are RFC 3339 in UTC with whole seconds; `null` is how stock writes a time that is not set. */
export interface ScheduledSparkApplicationStatus {
  readonly lastRun?: string | null;
  readonly nextRun?: string | null;
  readonly lastRunName?: string;
  readonly pastSuccessfulRunNames?: readonly string[];
  readonly pastFailedRunNames?: readonly string[];
  readonly scheduleState?: ScheduleState;
  readonly reason?: string;
}
