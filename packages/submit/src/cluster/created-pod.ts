import type { PodState } from "@kindling/diagnosis";

/** A driver pod as the API server has it. */
export interface CreatedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** As it was when the server told of it. */
  readonly state: PodState;
  /** Whether it was there before: only where a submission is to happen once. */
  readonly existed: boolean;
}
