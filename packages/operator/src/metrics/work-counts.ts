import { Counter, Histogram, type Registry } from "prom-client";
import type { WorkResult } from "@kindling/controller";

/** The labels of a queue's series. */
export interface QueueLabels {
  readonly name: string;
  readonly controller: string;
}

/** Counts what happens to the keys of a queue. */
export interface WorkCounts {
  /** Makes the series exist from the start, as in stock. */
  begin(): void;
  added(): void;
  retried(): void;
  started(waitedSeconds: number): void;
  ended(workedSeconds: number, result: WorkResult): void;
}

const RESULTS: readonly (WorkResult | "requeue_after")[] = ["success", "error", "requeue", "requeue_after"];

// The buckets of controller-runtime v0.20 (pkg/internal/metrics/workqueue.go, pkg/internal/controller/metrics/metrics.go).
const QUEUE_BUCKETS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];
const RECONCILE_BUCKETS = [
  ...[0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5],
  ...[1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60],
];

export function workCounts(registry: Registry): (queue: QueueLabels) => WorkCounts {
  const registers = [registry];
  const ofQueue = { labelNames: ["name", "controller"] as const, registers };
  const ofController = { labelNames: ["controller"] as const, registers };

  const adds = new Counter({ name: "workqueue_adds_total", help: "Keys that were added to a queue.", ...ofQueue });
  const retries = new Counter({
    ...{ name: "workqueue_retries_total", help: "Keys that were added to a queue again or with a delay.", ...ofQueue },
  });
  const queueDuration = new Histogram({
    ...{ name: "workqueue_queue_duration_seconds", help: "How long keys waited for a worker.", ...ofQueue },
    buckets: QUEUE_BUCKETS,
  });
  const workDuration = new Histogram({
    ...{ name: "workqueue_work_duration_seconds", help: "How long keys were worked on.", ...ofQueue },
    buckets: QUEUE_BUCKETS,
  });
  const total = new Counter({
    ...{ name: "controller_runtime_reconcile_total", help: "Reconciliations of a controller, by result." },
    ...{ labelNames: ["controller", "result"], registers },
  });
  const errors = new Counter({
    ...{ name: "controller_runtime_reconcile_errors_total", help: "Reconciliations of a controller that failed." },
    ...ofController,
  });
  const time = new Histogram({
    ...{ name: "controller_runtime_reconcile_time_seconds", help: "How long reconciliations of a controller took." },
    ...{ ...ofController, buckets: RECONCILE_BUCKETS },
  });

  return ({ name, controller }) => {
    const labels = { name, controller };
    return {
      begin() {
        for (const counter of [adds, retries]) counter.inc(labels, 0);
        for (const histogram of [queueDuration, workDuration]) histogram.zero(labels);
        for (const result of RESULTS) total.inc({ controller, result }, 0);
        errors.inc({ controller }, 0);
        time.zero({ controller });
      },
      added: () => adds.inc(labels),
      retried: () => retries.inc(labels),
      started: (waitedSeconds) => queueDuration.observe(labels, waitedSeconds),
      ended(workedSeconds, result) {
        workDuration.observe(labels, workedSeconds);
        time.observe({ controller }, workedSeconds);
        total.inc({ controller, result });
        if (result === "error") errors.inc({ controller });
      },
    };
  };
}
