/** A driver pod as the API server has it. */
export interface CreatedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Whether it was there before: only where a submission is to happen once. */
  readonly existed: boolean;
}
