import { Counter, type Registry } from "prom-client";
import type { ExecutorState } from "@kindling/spark-application";
import type { PodRecord } from "../pods/pod-record.ts";
import { executorState } from "../pods/pod-states.ts";
import { countingGauge } from "./counting-gauge.ts";
import type { LabelValues, MetricLabels } from "./metric-labels.ts";
import { metricName } from "./metric-names.ts";

export interface ExecutorMetricsOptions {
  readonly prefix: string;
  readonly labels: MetricLabels;
  /** The pods that may be running; called at each scrape. */
  readonly pods: () => Iterable<PodRecord>;
}

/** @see OperatorMetrics.executorChanged */
export type CountExecutor = (before: PodRecord | undefined, after: PodRecord | undefined) => void;

/** Counts executors as stock does (kubeflow/spark-operator v2.5.2, internal/metrics/sparkpod_metrics.go). */
export function executorMetrics(registry: Registry, { prefix, labels, pods }: ExecutorMetricsOptions): CountExecutor {
  const described = (name: string, help: string): { name: string; help: string; labelNames: string[] } => ({
    ...{ name: metricName(prefix, `spark_executor_${name}`), help },
    labelNames: [...labels.names],
  });
  const counter = (name: string, help: string): Counter =>
    new Counter({ ...described(name, help), registers: [registry] });
  const valuesOf = (pod: PodRecord): LabelValues => labels.valuesOf({ namespace: pod.namespace, labels: pod.labels });

  countingGauge(registry, {
    ...described("running_count", "Executors that are running."),
    *present() {
      for (const pod of pods()) if (pod.role === "executor" && executorState(pod) === "RUNNING") yield valuesOf(pod);
    },
  });
  const ended: Partial<Record<ExecutorState, Counter>> = {
    COMPLETED: counter("success_count", "Executors that ended well."),
    FAILED: counter("failure_count", "Executors that failed."),
  };

  return (before, after) => {
    if (before?.role !== "executor" || after?.role !== "executor" || before.uid !== after.uid) return;
    const state = executorState(after);
    if (state !== executorState(before)) ended[state]?.inc(valuesOf(after));
  };
}
