// @ts-check
import { comparisonRows, faultRows, metricRows } from "@kindling/kubeflow-parity";
import { stockRelease } from "../apps/integration/kubeflow/stock-release.mjs";
import { inNamespace } from "./harness/api-server.mjs";
import { judge } from "./harness/judge.mjs";
import { loadRows } from "./operator/load/rows.mjs";

/**
 * Kindling's operator compared with kubeflow's: what both make of the same objects, and how much time and resources both need.
 */
export async function operator() {
  return judge([
    ...(await comparisonRows(stockRelease)),
    ...(await metricRows(stockRelease, inNamespace)),
    ...(await faultRows()),
    ...(await loadRows()),
  ]);
}
