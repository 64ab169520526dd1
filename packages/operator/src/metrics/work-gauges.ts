import { Gauge, type Registry } from "prom-client";
import type { QueueWork } from "./queue-work.ts";

interface WorkGauge {
  readonly name: string;
  readonly help: string;
  readonly valueOf: (work: QueueWork) => number;
}

const OF_QUEUES: readonly WorkGauge[] = [
  { name: "workqueue_depth", help: "Keys that wait for a worker.", valueOf: ({ depth }) => depth },
  {
    name: "workqueue_unfinished_work_seconds",
    help: "The sum of the times for which the keys in work have been worked on.",
    valueOf: ({ unfinished }) => unfinished.reduce((sum, seconds) => sum + seconds, 0),
  },
  {
    name: "workqueue_longest_running_processor_seconds",
    help: "The longest time that a key has been in work.",
    valueOf: ({ unfinished }) => Math.max(0, ...unfinished),
  },
];

/** The sum over all queues of a controller. */
const OF_CONTROLLERS: readonly WorkGauge[] = [
  {
    name: "controller_runtime_max_concurrent_reconciles",
    help: "Workers of a controller.",
    valueOf: ({ workers }) => workers,
  },
  {
    name: "controller_runtime_active_workers",
    help: "Workers of a controller that are busy.",
    valueOf: ({ active }) => active,
  },
];

/** Gauges of the work that is under way. Their values are read when the metrics are requested. */
export function registerWorkGauges(registry: Registry, queues: ReadonlyMap<string, QueueWork>): void {
  for (const { name, help, valueOf } of OF_QUEUES) {
    const gauge = new Gauge({
      ...{ name, help, labelNames: ["name", "controller"], registers: [] },
      collect() {
        for (const [name, work] of queues) this.set({ name, controller: work.controller }, valueOf(work));
      },
    });
    registry.registerMetric(gauge);
  }
  for (const { name, help, valueOf } of OF_CONTROLLERS) {
    const gauge = new Gauge({
      ...{ name, help, labelNames: ["controller"], registers: [] },
      collect() {
        this.reset();
        for (const work of queues.values()) this.inc({ controller: work.controller }, valueOf(work));
      },
    });
    registry.registerMetric(gauge);
  }
}
