import { fields, oneOf, whole, type Shape } from "../shapes/shape.ts";

/** When a driver is started again. Intervals are seconds. */
export interface RestartPolicy {
  readonly type?: "Never" | "OnFailure" | "Always";
  readonly onSubmissionFailureRetries?: number;
  readonly onFailureRetries?: number;
  readonly onSubmissionFailureRetryInterval?: number;
  readonly onFailureRetryInterval?: number;
}

export const RESTART_POLICY: Shape<RestartPolicy> = fields<RestartPolicy>({
  type: oneOf("Never", "Always", "OnFailure"),
  onSubmissionFailureRetries: whole(32, { minimum: 0 }),
  onFailureRetries: whole(32, { minimum: 0 }),
  onSubmissionFailureRetryInterval: whole(64, { minimum: 1 }),
  onFailureRetryInterval: whole(64, { minimum: 1 }),
});
