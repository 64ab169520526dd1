import type { Stage } from "@kindling/operator/testing";

/** A cluster on which the lives of applications are played. */
export interface FaultPlace {
  readonly stage: Stage;
  readonly kubeconfig: string;
  /** Selects the namespaces of the lives. */
  readonly namespaceSelector: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts such a cluster.
 *
 * @param faster how many seconds pass in one real second, for operators and drivers
 */
export type OpenPlace = (faster: number) => Promise<FaultPlace>;
