import { fields, list, map, oneOf, orElse, required, text, time, whole, type Shape } from "../shapes/shape.ts";
import type { SparkApplication } from "../spark-application.ts";
import {
  APPLICATION_STATES,
  NO_STATUS,
  type DriverInfo,
  type EndedAttempt,
  type SparkApplicationStatus,
} from "../status.ts";
import { EMPTY_SPEC, SPEC } from "../spec/application-spec.ts";
import { EMPTY_META, META } from "./meta-shape.ts";

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
