import { expect, test } from "vitest";
import { missedByDashboard } from "../src/metrics/dashboard.ts";
import { compareFamilies } from "../src/metrics/differences.ts";
import { familiesOf } from "../src/metrics/scrape.ts";

const STOCK = `# HELP workqueue_depth how many
# TYPE workqueue_depth gauge
workqueue_depth{name="a"} 3
# TYPE spark_application_count counter
spark_application_count 5
# TYPE go_goroutines gauge
go_goroutines 9
# TYPE wait_seconds histogram
wait_seconds_bucket{le="0.1"} 1
wait_seconds_bucket{le="+Inf"} 2
wait_seconds_sum 3
wait_seconds_count 2
`;

test("a scrape is read by families: of each its series, labels, bounds and counts", () => {
  const { series, labels, bounds, counts } = familiesOf(STOCK).get("wait_seconds") ?? {};
  expect([...(series ?? [])]).toEqual(["wait_seconds_bucket", "wait_seconds_sum", "wait_seconds_count"]);
  expect([...(labels ?? [])]).toEqual([]);
  expect([...(bounds ?? [])]).toEqual(["0.1", "Infinity"]);
  expect([...(counts ?? [])]).toEqual([["wait_seconds_count{}", 2]]);
});

test("what is missing or another one is told, and what is left out on purpose is not", () => {
  const ours = familiesOf(STOCK.replaceAll("workqueue_depth", "depth").replace("count 5", "count 4"));
  expect(compareFamilies(familiesOf(STOCK), ours)).toEqual({
    compared: 3,
    leftOut: 1,
    missing: ["workqueue_depth"],
    different: ["spark_application_count: counts spark_application_count{} 4, stock's spark_application_count{} 5"],
  });
});

test("the dashboard misses series that are not there", () => {
  expect(missedByDashboard(familiesOf(STOCK))).toContain("Work Queue - Add Rate: there is no workqueue_adds_total");
  expect(missedByDashboard(familiesOf(STOCK)).filter((text) => text.includes("workqueue_depth"))).toEqual([]);
});
