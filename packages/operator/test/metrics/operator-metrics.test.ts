import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { metricsOf, series } from "./scrape.ts";

const LABELS = ["app_type", "namespace"];
const QUEUE = ["name", "controller"];
const CONTROLLER = ["controller"];

/** The metrics in a scrape of stock's operator. */
const STOCK: Readonly<Record<string, readonly [type: string, labels: readonly string[]]>> = {
  spark_application_count: ["counter", LABELS],
  spark_application_submit_count: ["counter", LABELS],
  spark_application_failed_submission_count: ["counter", LABELS],
  spark_application_running_count: ["gauge", LABELS],
  spark_application_success_count: ["counter", LABELS],
  spark_application_failure_count: ["counter", LABELS],
  spark_application_success_execution_time_seconds: ["summary", LABELS],
  spark_application_failure_execution_time_seconds: ["summary", LABELS],
  spark_application_submit_latency_seconds: ["summary", LABELS],
  spark_application_submit_latency_seconds_histogram: ["histogram", LABELS],
  spark_application_start_latency_seconds: ["summary", LABELS],
  spark_application_start_latency_seconds_histogram: ["histogram", LABELS],
  spark_executor_running_count: ["gauge", LABELS],
  spark_executor_success_count: ["counter", LABELS],
  spark_executor_failure_count: ["counter", LABELS],
  workqueue_depth: ["gauge", QUEUE],
  workqueue_adds_total: ["counter", QUEUE],
  workqueue_queue_duration_seconds: ["histogram", QUEUE],
  workqueue_work_duration_seconds: ["histogram", QUEUE],
  workqueue_retries_total: ["counter", QUEUE],
  workqueue_unfinished_work_seconds: ["gauge", QUEUE],
  workqueue_longest_running_processor_seconds: ["gauge", QUEUE],
  controller_runtime_reconcile_total: ["counter", ["controller", "result"]],
  controller_runtime_reconcile_errors_total: ["counter", CONTROLLER],
  controller_runtime_reconcile_time_seconds: ["histogram", CONTROLLER],
  controller_runtime_max_concurrent_reconciles: ["gauge", CONTROLLER],
  controller_runtime_active_workers: ["gauge", CONTROLLER],
  leader_election_master_status: ["gauge", ["name"]],
  rest_client_requests_total: ["counter", ["code", "method", "host"]],
};

test("names, types and labels are stock's", () => {
  const { registry } = metricsOf({ labels: ["app-type", "namespace"] }, { leaseName: "lock" });
  const served = registry
    .getMetricsAsArray()
    .filter(({ name }) => !/^(process|nodejs)_/.test(name))
    .map((metric) => {
      const { name, type, labelNames } = metric as unknown as { name: string; type: string; labelNames: string[] };
      return [name, [type, labelNames]];
    });
  expect(Object.fromEntries(served)).toEqual(STOCK);
});

test("the documentation has a row for each of them", () => {
  const text = readFileSync(new URL("../../docs/metrics.md", import.meta.url), "utf8");
  const rows = text.split("\n").flatMap((line) => /^\| `([a-z_]+)` \| (\w+) \| (.*?) \|/.exec(line) ?? []);
  const documented: Record<string, readonly [string, readonly string[]]> = {};
  for (let row = 0; row < rows.length; row += 4) {
    const [, name = "", type = "", labels = ""] = rows.slice(row, row + 4);
    const named = [...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label);
    documented[name] = [type, labels.includes("--metrics-labels") ? LABELS : named];
  }
  expect(documented).toEqual(STOCK);
});

test("names are served as Prometheus takes them", async () => {
  const metrics = metricsOf({ prefix: "my-team.", labels: ["a.b/c", "d-e", "d_e"] });
  const names = metrics.registry.getMetricsAsArray().map(({ name }) => name);
  expect(names).toContain("my_team_spark_application_count");
  expect(names).toContain("my_team_spark_executor_running_count");
  expect(names).toContain("workqueue_depth");
  expect(metrics.labels.names).toEqual(["a_b_c", "d_e"]);
  expect(metricsOf({ prefix: "1-" }).registry.getSingleMetric("__spark_application_count")).toBeDefined();
});

test.each(["le", "quantile"])("the label %s is refused: it is a histogram's or a summary's own", (label) => {
  expect(() => metricsOf({ labels: [label] })).toThrow(
    `--metrics-labels names "${label}", which Prometheus needs for itself: leave it out`,
  );
});

test("bounds of buckets may come in any order", async () => {
  const { registry } = metricsOf({ jobSubmitLatencyBuckets: [4, 1, 2, 1] });
  const text = await registry.getSingleMetricAsString("spark_application_submit_latency_seconds_histogram");
  expect([...text.matchAll(/le="([^"]+)"/g)].map(([, bound]) => bound)).toEqual(["1", "2", "4", "+Inf"]);
});

test("with leader election it is told who leads, else not", async () => {
  const name = "spark-operator-controller-lock";
  const leading = metricsOf({}, { leaseName: name });
  expect(await series(leading, "leader_")).toEqual({ [`leader_election_master_status{name="${name}"}`]: 1 });
  const waiting = await metricsOf({}, { leaseName: name, isLeading: () => false }).registry.metrics();
  expect(waiting).toContain(`leader_election_master_status{name="${name}"} 0`);
  expect(await metricsOf().registry.metrics()).not.toContain("leader_election");
});

test("the process and Node are told of", async () => {
  const text = await metricsOf().registry.metrics();
  for (const name of ["process_cpu_seconds_total", "process_resident_memory_bytes", "nodejs_eventloop_lag_seconds"])
    expect(text).toContain(`# TYPE ${name} `);
});
