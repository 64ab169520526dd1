/** Options of routes. */
export interface RouteConfig {
  /** Whether the route needs no credentials. */
  isOpen?: boolean;
  /** Whether it is a submission; only a limited number may run at the same time. */
  takesTurn?: boolean;
  /** What the route does, in the audit log: `submit`. */
  verb?: string;
  /** Whether it changes something: then the audit log has each request. */
  changes?: boolean;
  /** Whether errors have the form of the kubeflow operator's REST submitter. */
  isSubmitterContract?: boolean;
}
