import type { Stage } from "@kindling/operator/testing";

/** A cluster on which lives take place. */
export interface FaultPlace {
  readonly stage: Stage;
  readonly kubeconfig: string;
  /** Of the namespaces in which the lives are. */
  readonly namespaceSelector: string;
  readonly stop: () => Promise<void>;
}

/**
 * Brings such a cluster up.
 *
 * @param faster so many seconds pass in one, for operators and drivers
 */
export type OpenPlace = (faster: number) => Promise<FaultPlace>;
