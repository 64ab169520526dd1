/**
 * Paths of the stock kubeflow operator, in the release that Kindling's operator is compared with. apps/integration/kubeflow
 * makes it.
 */
export interface StockRelease {
  /** The folder of its Go module. */
  readonly source: string;
  /** The program of the operator. */
  readonly operator: string;
  /** kindling-compare, the program that answers questions about it. */
  readonly compare: string;
}

/** Makes the release if it does not exist yet. Needs Go. */
export type MakeStockRelease = () => StockRelease;
