import type { Family } from "./scrape.ts";

interface Panel {
  readonly panel: string;
  readonly series: readonly string[];
  /** The labels by which the panel groups them. */
  readonly by: readonly string[];
}

/**
 * What Grafana's dashboard 23032, "Spark-Operator Scale Test Dashboard", reads from the operator, by its panels: the series,
 * and the labels that group them (awslabs/data-on-eks, kubeflow-spark-operator-dashboard.json, at commit a546a190).
 *
 * Its queries also use `pod`, `job` and `container`. Prometheus adds these labels to everything that it scrapes from a pod,
 * using names in the chart. Those names are compared with kubeflow's chart. The metrics of the other panels come from
 * Kubernetes.
 */
export const DASHBOARD: readonly Panel[] = [
  { panel: "Work Queue Depth", series: ["workqueue_depth"], by: ["name"] },
  { panel: "Work Queue - Add Rate", series: ["workqueue_adds_total"], by: ["name"] },
  {
    panel: "Work Queue - Work Latency by Percentile",
    ...{ series: ["workqueue_work_duration_seconds_bucket"], by: ["name", "le"] },
  },
  {
    panel: "Work Queue - Queue Latency by Percentile",
    ...{ series: ["workqueue_queue_duration_seconds_bucket"], by: ["name", "le"] },
  },
  { panel: "Work Queue - Total Retries", series: ["workqueue_retries_total"], by: [] },
  {
    panel: "Work Queue - Longest Running Controller Thread",
    ...{ series: ["workqueue_longest_running_processor_seconds"], by: ["name"] },
  },
  { panel: "Work Queue - Unfinished Work", series: ["workqueue_unfinished_work_seconds"], by: ["name"] },
  {
    panel: "Start Latency Percentiles",
    ...{ series: ["spark_application_start_latency_seconds_histogram_bucket"], by: ["le"] },
  },
  {
    panel: "Spark Jobs Count",
    series: [
      ...["spark_application_count", "spark_application_failure_count", "spark_application_success_count"],
      ...["spark_application_running_count", "spark_application_submit_count"],
    ],
    by: [],
  },
  {
    panel: "Spark Executor Health",
    ...{ series: ["spark_executor_success_count", "spark_executor_failure_count"], by: [] },
  },
  { panel: "Spark-submit Rate", series: ["spark_application_submit_count"], by: [] },
  {
    panel: "Job Running Rate",
    ...{ series: ["spark_application_running_count", "spark_application_submit_count"], by: [] },
  },
  {
    panel: "Job Success Rate",
    ...{ series: ["spark_application_success_count", "spark_application_submit_count"], by: [] },
  },
  {
    panel: "Job Failure Rate",
    ...{ series: ["spark_application_failure_count", "spark_application_submit_count"], by: [] },
  },
];

/** What the dashboard would not find. */
export function missedByDashboard(families: ReadonlyMap<string, Family>): string[] {
  return DASHBOARD.flatMap(({ panel, series, by }) =>
    series.flatMap((name) => {
      const labels = labelsOf(families, name);
      if (labels === undefined) return [`${panel}: there is no ${name}`];
      return by.filter((label) => !labels.has(label)).map((label) => `${panel}: ${name} has no label ${label}`);
    }),
  );
}

function labelsOf(families: ReadonlyMap<string, Family>, name: string): ReadonlySet<string> | undefined {
  for (const { series, labels, bounds } of families.values()) {
    if (series.has(name)) return new Set([...labels, ...(bounds.size > 0 ? ["le"] : [])]);
  }
  return undefined;
}
