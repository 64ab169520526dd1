/** What routes say of themselves. */
export interface RouteConfig {
  /** Whether anybody may ask, without credentials. */
  isOpen?: boolean;
  /** Whether it is a submission, of which so many may be under way. */
  takesTurn?: boolean;
  /** Whether errors are those of the kubeflow operator's REST submitter. */
  isSubmitterContract?: boolean;
}
