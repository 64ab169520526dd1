// @ts-check
import { comparisonRows, faultRows, metricRows } from "@kindling/kubeflow-parity";
import { stockRelease } from "../apps/integration/kubeflow/stock-release.mjs";
import { inNamespace } from "./harness/api-server.mjs";
import { judge } from "./harness/judge.mjs";
import { loadRows } from "./operator/load/rows.mjs";

/** Kindling's operator beside kubeflow's: what it makes of the same objects, and how quick and how hungry both are. */
export async function operator() {
  return judge([
    ...(await comparisonRows(stockRelease)),
    ...(await metricRows(stockRelease, inNamespace)),
    ...(await faultRows()),
    ...(await loadRows()),
  ]);
}
