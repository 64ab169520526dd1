/** The stock kubeflow operator of the release that Kindling's is compared with, as apps/integration/kubeflow makes it; paths. */
export interface StockRelease {
  /** Of its Go module. */
  readonly source: string;
  /** The operator. */
  readonly operator: string;
  /** What answers for it, kindling-compare. */
  readonly compare: string;
}

/** Makes the release, if it is not there. Needs Go. */
export type MakeStockRelease = () => StockRelease;
