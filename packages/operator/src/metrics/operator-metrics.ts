import type { Clock } from "@kindling/outside";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { MetricsSettings } from "../flags/operator-settings.ts";
import type { PodRecord } from "../pods/pod-record.ts";
import type { ObjectRecord } from "../caches/object-record.ts";
import { applicationMetrics, type CountWritten } from "./application-metrics.ts";
import { type CountExecutor, executorMetrics } from "./executor-metrics.ts";
import { metricLabels, type MetricLabels } from "./metric-labels.ts";
import { processMetrics, type ReadProcess } from "./process-metrics.ts";
import { type CountRequest, requestMetrics } from "./request-metrics.ts";
import { type ObserveWork, workMetrics } from "./work-metrics.ts";

/** The sources that are read at each scrape. */
export interface MetricSources {
  readonly clock: Clock;
  /** The applications of the served namespaces. */
  readonly applications: () => Iterable<ObjectRecord>;
  /** The pods of the served namespaces, including drivers. */
  readonly pods: () => Iterable<PodRecord>;
  readonly isLeading: () => boolean;
  /** The name of the Lease; undefined without leader election. */
  readonly leaseName: string | undefined;
  readonly readProcess: ReadProcess;
}

/** The figures of an operator. They begin at 0 with the process. */
export interface OperatorMetrics {
  readonly registry: Registry;
  readonly labels: MetricLabels;
  /**
   * Has to be called after each status that the operator wrote.
   *
   * @param before the application with the previous status
   */
  readonly written: CountWritten;
  /** Has to be called for each change of a pod; counts executors that end while this process leads. */
  readonly executorChanged: CountExecutor;
  /** Begins to observe a queue. It replaces an earlier queue of the same name. */
  readonly observeWork: ObserveWork;
  /** Has to be called for each request to the API server when its answer has come, or will not come. */
  readonly requestSent: CountRequest;
}

/**
 * Figures with stock's names, and figures of this process and of Node. Only the leading replica reports what runs, so that sums
 * over replicas are right.
 *
 * @throws KindlingError `ARGUMENT_INVALID` for a name that cannot be a label
 */
export function createOperatorMetrics(
  settings: Pick<MetricsSettings, "prefix" | "labels" | "jobSubmitLatencyBuckets" | "jobStartLatencyBuckets">,
  { clock, applications, pods, isLeading, leaseName, readProcess }: MetricSources,
): OperatorMetrics {
  const registry = new Registry();
  const labels = metricLabels(settings.labels);
  const written = applicationMetrics(registry, {
    ...{ ...settings, labels },
    applications: () => (isLeading() ? applications() : []),
  });
  const executorChanged = executorMetrics(registry, {
    ...{ prefix: settings.prefix, labels },
    pods: () => (isLeading() ? pods() : []),
  });
  const observeWork = workMetrics(registry, clock);
  const requestSent = requestMetrics(registry);
  if (leaseName !== undefined) leaderGauge(registry, leaseName, isLeading);
  collectDefaultMetrics({ register: registry });
  processMetrics(registry, readProcess);
  return {
    ...{ registry, labels, written, observeWork, requestSent },
    executorChanged(before, after) {
      if (isLeading()) executorChanged(before, after);
    },
  };
}

function leaderGauge(registry: Registry, name: string, isLeading: () => boolean): void {
  const gauge = new Gauge({
    name: "leader_election_master_status",
    help: "1 in the replica that holds the Lease, 0 in others.",
    ...{ labelNames: ["name"], registers: [] },
    collect() {
      this.set({ name }, Number(isLeading()));
    },
  });
  registry.registerMetric(gauge);
}
