import {
  SCHEDULE_STATES,
  type ScheduledSparkApplication,
  type ScheduledSparkApplicationSpec,
  type ScheduledSparkApplicationStatus,
} from "../scheduled-spark-application.ts";
import { EMPTY_SPEC, SPEC } from "../spec/application-spec.ts";
import { EMPTY_META, META } from "./meta-shape.ts";
import { fields, flag, list, oneOf, orElse, required, text, time, whole, type Shape } from "../shapes/shape.ts";

const EMPTY_SCHEDULE: ScheduledSparkApplicationSpec = { schedule: "", template: EMPTY_SPEC };

const SCHEDULE = fields<ScheduledSparkApplicationSpec>({
  schedule: required(text(), EMPTY_SCHEDULE.schedule),
  timeZone: text(),
  template: required(SPEC, EMPTY_SCHEDULE.template),
  suspend: flag(),
  concurrencyPolicy: oneOf("Allow", "Forbid", "Replace"),
  successfulRunHistoryLimit: whole(32),
  failedRunHistoryLimit: whole(32),
});

const STATUS = fields<ScheduledSparkApplicationStatus>({
  lastRun: time(),
  nextRun: time(),
  lastRunName: text(),
  pastSuccessfulRunNames: list(text()),
  pastFailedRunNames: list(text()),
  scheduleState: oneOf(...SCHEDULE_STATES),
  reason: text(),
});

export const SCHEDULED_SPARK_APPLICATION: Shape<Omit<ScheduledSparkApplication, "apiVersion" | "kind">> = fields<
  Omit<ScheduledSparkApplication, "apiVersion" | "kind">
>({
  metadata: required(META, EMPTY_META),
  spec: required(SCHEDULE, EMPTY_SCHEDULE),
  status: orElse(STATUS, {}),
});
