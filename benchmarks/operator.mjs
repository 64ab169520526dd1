import { judge } from "./judge.mjs";
import { comparisonRows } from "./operator/comparisons.mjs";
import { faultRows } from "./operator/faults/rows.mjs";
import { loadRows } from "./operator/load/rows.mjs";
import { metricRows } from "./operator/metrics/rows.mjs";

/** Kindling's operator beside kubeflow's: what it makes of the same objects. */
export async function operator() {
  return judge([...(await comparisonRows()), ...(await metricRows()), ...(await faultRows()), ...(await loadRows())]);
}
