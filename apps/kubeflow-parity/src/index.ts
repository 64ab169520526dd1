export { comparisonRows } from "./comparisons.ts";
export { faultRows } from "./faults/rows.ts";
export { metricRows, type InNamespace } from "./metrics/rows.ts";
export type { Row } from "./row.ts";
export type { MakeStockRelease, StockRelease } from "./stock-release.ts";
