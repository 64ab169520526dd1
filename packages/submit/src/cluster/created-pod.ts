import type { PodState } from "@kindling/diagnosis";

/** A driver pod as the API server has it. */
export interface CreatedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The state when the server reported the pod. */
  readonly state: PodState;
  /** Whether the pod existed before. This is possible only for a submission with an id. */
  readonly existed: boolean;
  /** What the server left out of the pod, if this call created it: one sentence for each field. */
  readonly leftOut: readonly string[];
}
