import type { Clock } from "@kindling/outside";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { WorkObserver, WorkResult } from "@kindling/controller";

/**
 * The queues of this operator and the controllers that they are part of. Controllers are called as in stock, where each has
 * one queue of the same name; here submissions have a queue of their own.
 */
const CONTROLLERS = {
  sparkapplication: "sparkapplication",
  "sparkapplication-submissions": "sparkapplication",
  scheduledsparkapplication: "scheduledsparkapplication",
} as const;

export type QueueName = keyof typeof CONTROLLERS;

/** @see OperatorMetrics.observeWork */
export type ObserveWork = (queue: QueueName, workers: number) => WorkObserver;

interface QueueState {
  readonly controller: string;
  readonly workers: number;
  /** Since when each key has been there, in the clock's monotonic milliseconds. */
  readonly waiting: Map<string, number>;
  readonly working: Map<string, number>;
}

const RESULTS: readonly (WorkResult | "requeue_after")[] = ["success", "error", "requeue", "requeue_after"];

// Those of controller-runtime v0.20 (pkg/internal/metrics/workqueue.go, pkg/internal/controller/metrics/metrics.go).
const QUEUE_BUCKETS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];
const RECONCILE_BUCKETS = [
  ...[0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5],
  ...[1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60],
];

/** Queues and workers by the names of controller-runtime, which dashboards of operators read. */
export function workMetrics(registry: Registry, clock: Clock): ObserveWork {
  const queues = new Map<QueueName, QueueState>();
  const registers = [registry];
  const ofQueue = { labelNames: ["name", "controller"] as const, registers };
  const ofController = { labelNames: ["controller"] as const, registers };
  const sinceSeconds = (start: number): number => (clock.monotonic() - start) / 1000;

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
    ...{
      name: "controller_runtime_reconcile_errors_total",
      help: "Reconciliations of a controller that failed.",
      ...ofController,
    },
  });
  const time = new Histogram({
    ...{ name: "controller_runtime_reconcile_time_seconds", help: "How long reconciliations of a controller took." },
    ...{ ...ofController, buckets: RECONCILE_BUCKETS },
  });

  queueGauge("depth", "Keys that wait for a worker.", ({ waiting }) => waiting.size);
  queueGauge(
    "unfinished_work_seconds",
    "The sum of the times for which the keys in work have been worked on.",
    ({ working }) => [...working.values()].reduce((sum, start) => sum + sinceSeconds(start), 0),
  );
  queueGauge("longest_running_processor_seconds", "The longest time that a key has been in work.", ({ working }) =>
    [...working.values()].reduce((longest, start) => Math.max(longest, sinceSeconds(start)), 0),
  );
  controllerGauge("max_concurrent_reconciles", "Workers of a controller.", ({ workers }) => workers);
  controllerGauge("active_workers", "Workers of a controller that are busy.", ({ working }) => working.size);

  function queueGauge(name: string, help: string, valueOf: (state: QueueState) => number): void {
    const gauge = new Gauge({
      ...{ name: `workqueue_${name}`, help, labelNames: ofQueue.labelNames, registers: [] },
      collect() {
        for (const [name, state] of queues) this.set({ name, controller: state.controller }, valueOf(state));
      },
    });
    registry.registerMetric(gauge);
  }

  /** The sum over all queues of a controller. */
  function controllerGauge(name: string, help: string, valueOf: (state: QueueState) => number): void {
    const gauge = new Gauge({
      ...{ name: `controller_runtime_${name}`, help, labelNames: ofController.labelNames, registers: [] },
      collect() {
        this.reset();
        for (const state of queues.values()) this.inc({ controller: state.controller }, valueOf(state));
      },
    });
    registry.registerMetric(gauge);
  }

  /** Series are there from the start, as stock's are. */
  function begin(name: QueueName, controller: string): void {
    const labels = { name, controller };
    for (const counter of [adds, retries]) counter.inc(labels, 0);
    for (const histogram of [queueDuration, workDuration]) histogram.zero(labels);
    for (const result of RESULTS) total.inc({ controller, result }, 0);
    errors.inc({ controller }, 0);
    time.zero({ controller });
  }

  return (name, workers) => {
    const controller = CONTROLLERS[name];
    const labels = { name, controller };
    const waiting = new Map<string, number>();
    const working = new Map<string, number>();
    if (!queues.has(name)) begin(name, controller);
    queues.set(name, { controller, workers, waiting, working });
    const observer: WorkObserver = {
      added(key) {
        if (waiting.has(key)) return;
        waiting.set(key, clock.monotonic());
        adds.inc(labels);
      },
      retried: () => retries.inc(labels),
      started(key) {
        // The queue itself adds a delayed key when it is due, and does not report that.
        observer.added(key);
        queueDuration.observe(labels, sinceSeconds(waiting.get(key) ?? clock.monotonic()));
        waiting.delete(key);
        working.set(key, clock.monotonic());
      },
      ended(key, result) {
        const seconds = sinceSeconds(working.get(key) ?? clock.monotonic());
        working.delete(key);
        workDuration.observe(labels, seconds);
        time.observe({ controller }, seconds);
        total.inc({ controller, result });
        if (result === "error") errors.inc({ controller });
      },
      stopped() {
        waiting.clear();
        working.clear();
      },
    };
    return observer;
  };
}
