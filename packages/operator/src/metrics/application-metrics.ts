import { Counter, Histogram, Summary, type Registry } from "prom-client";
import type { ApplicationState, SparkApplication, SparkApplicationStatus } from "@kindling/spark-application";
import type { MetricsSettings } from "../flags/operator-settings.ts";
import type { ObjectRecord } from "../caches/object-record.ts";
import { countingGauge } from "./counting-gauge.ts";
import type { Labelled, LabelValues, MetricLabels } from "./metric-labels.ts";
import { metricName } from "./metric-names.ts";

export interface ApplicationMetricsOptions extends Pick<
  MetricsSettings,
  "prefix" | "jobSubmitLatencyBuckets" | "jobStartLatencyBuckets"
> {
  readonly labels: MetricLabels;
  /** The applications that may be running; called at each scrape. */
  readonly applications: () => Iterable<ObjectRecord>;
}

/** @see OperatorMetrics.written */
export type CountWritten = (before: SparkApplication, after: SparkApplicationStatus, nowMs: number) => void;

/**
 * Counts applications as stock does (kubeflow/spark-operator v2.5.2, internal/metrics/sparkapplication_metrics.go). It counts
 * the changes of state that this operator writes.
 */
export function applicationMetrics(registry: Registry, options: ApplicationMetricsOptions): CountWritten {
  const { prefix, labels, applications, jobSubmitLatencyBuckets, jobStartLatencyBuckets } = options;
  const registers = [registry];
  const described = (name: string, help: string): { name: string; help: string; labelNames: string[] } => ({
    ...{ name: metricName(prefix, `spark_application_${name}`), help },
    labelNames: [...labels.names],
  });
  const counter = (name: string, help: string): Counter => new Counter({ ...described(name, help), registers });
  // Without quantiles, as in stock.
  const summary = (name: string, help: string): Summary =>
    new Summary({ ...described(name, help), registers, percentiles: [] });

  function latency(name: string, help: string, bounds: readonly number[]): (values: LabelValues, ms: number) => void {
    const seconds = summary(name, help);
    const buckets = [...new Set(bounds)].sort((one, other) => one - other);
    const histogram = new Histogram({ ...described(`${name}_histogram`, `${help} In buckets.`), registers, buckets });
    return (values, ms) => {
      // The creation time comes from an API server, but the text may be anything.
      if (Number.isNaN(ms)) return;
      seconds.observe(values, ms / 1000);
      histogram.observe(values, ms / 1000);
    };
  }

  const count = counter("count", "SparkApplications that were taken up.");
  const entered: Partial<Record<ApplicationState, Counter>> = {
    SUBMITTED: counter("submit_count", "Submissions that succeeded."),
    SUBMISSION_FAILED: counter("failed_submission_count", "SparkApplications whose submission failed."),
    COMPLETED: counter("success_count", "SparkApplications that completed."),
    FAILED: counter("failure_count", "SparkApplications that failed for good."),
  };
  const executionTime: Partial<Record<ApplicationState, Summary>> = {
    COMPLETED: summary(
      "success_execution_time_seconds",
      "From the last submission to the end, of those that completed.",
    ),
    FAILED: summary("failure_execution_time_seconds", "From the last submission to the end, of those that failed."),
  };
  const submitLatency = latency(
    "submit_latency_seconds",
    "From creation to the first submission.",
    jobSubmitLatencyBuckets,
  );
  const startLatency = latency(
    "start_latency_seconds",
    "From creation to the first running driver.",
    jobStartLatencyBuckets,
  );
  countingGauge(registry, {
    ...described("running_count", "SparkApplications that are running."),
    *present() {
      for (const record of applications()) {
        if (storedState(record) === "RUNNING") yield labels.valuesOf(labelledOf(record));
      }
    },
  });

  return ({ metadata, status }, after, nowMs) => {
    const { state } = after.applicationState;
    const { state: left } = status.applicationState;
    if (state === left) return;
    const values = labels.valuesOf(metadata);
    if (left === "") count.inc(values);
    entered[state]?.inc(values);
    const ranMs = executionMs(after);
    if (ranMs !== undefined) executionTime[state]?.observe(values, ranMs / 1000);
    const ageMs = nowMs - Date.parse(metadata.creationTimestamp);
    if (state === "SUBMITTED" && after.submissionAttempts === 1) submitLatency(values, ageMs);
    if (state === "RUNNING" && after.executionAttempts === 1) startLatency(values, ageMs);
  };
}

function executionMs({ lastSubmissionAttemptTime, terminationTime }: SparkApplicationStatus): number | undefined {
  const milliseconds = Date.parse(terminationTime ?? "") - Date.parse(lastSubmissionAttemptTime ?? "");
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** Reads only this field of the object, because it runs for every application at every scrape. */
function storedState({ object }: ObjectRecord): unknown {
  const { status } = object as { readonly status?: { readonly applicationState?: { readonly state?: unknown } } };
  return status?.applicationState?.state;
}

function labelledOf({ namespace, object }: ObjectRecord): Labelled {
  return { namespace, labels: object.metadata?.labels ?? {} };
}
