import type { Clock } from "@kindling/outside";
import type { Registry } from "prom-client";
import type { WorkObserver } from "@kindling/controller";
import { QueueWork } from "./queue-work.ts";
import { workCounts } from "./work-counts.ts";
import { registerWorkGauges } from "./work-gauges.ts";

/**
 * The queues of this operator and the controllers that they are part of. Controllers have the same names as in stock. There,
 * each has one queue of the same name; here, submissions have a separate queue.
 */
const CONTROLLERS = {
  sparkapplication: "sparkapplication",
  "sparkapplication-submissions": "sparkapplication",
  scheduledsparkapplication: "scheduledsparkapplication",
  sparkconnect: "sparkconnect",
} as const;

export type QueueName = keyof typeof CONTROLLERS;

/** @see OperatorMetrics.observeWork */
export type ObserveWork = (queue: QueueName, workers: number) => WorkObserver;

/** Queues and workers, with the metric names of controller-runtime. Dashboards of operators read these names. */
export function workMetrics(registry: Registry, clock: Clock): ObserveWork {
  const queues = new Map<QueueName, QueueWork>();
  const countsOf = workCounts(registry);
  registerWorkGauges(registry, queues);

  return (name, workers) => {
    const controller = CONTROLLERS[name];
    const counts = countsOf({ name, controller });
    const work = new QueueWork(clock, { controller, workers });
    if (!queues.has(name)) counts.begin();
    queues.set(name, work);
    const added = (key: string): void => {
      if (work.add(key)) counts.added();
    };
    return {
      added,
      retried: () => counts.retried(),
      started(key) {
        // The queue itself adds a delayed key when it is due, and does not report that.
        added(key);
        counts.started(work.start(key));
      },
      ended: (key, result) => counts.ended(work.end(key), result),
      stopped: () => work.clear(),
    };
  };
}
