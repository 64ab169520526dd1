import { Counter, type Registry } from "prom-client";
import type { UsageMeter } from "../metering/usage-meter.ts";
import type { UsageRow } from "../metering/usage-totals.ts";

const OF_PODS = ["namespace", "queue", "team", "spot"];

/** Metrics of what runs reserve, read when they are requested. */
export function registerUsage(registry: Registry, meter: Pick<UsageMeter, "show">): void {
  const memory = counter(
    "recorder_memory_byte_seconds_total",
    "Memory that pods of runs reserved, times seconds.",
    OF_PODS,
  );
  const ended = counter("recorder_runs_ended_total", "Runs that ended and are in the archive, by state.", [
    ...OF_PODS.slice(0, -1),
    "state",
  ]);
  const cores = new Counter({
    name: "recorder_core_seconds_total",
    help: "Cores that pods of runs reserved, times seconds.",
    labelNames: OF_PODS,
    registers: [],
    async collect() {
      const { shown, kept } = meter.show();
      // All of them at once: a registry asks the others before this one has waited.
      setAll(this, shown.usage, 0);
      setAll(memory, shown.usage, 1);
      setAll(ended, shown.ended, 0);
      await kept;
    },
  });
  for (const metric of [cores, memory, ended]) registry.registerMetric(metric);
}

function counter(name: string, help: string, labelNames: readonly string[]): Counter {
  return new Counter({ name, help, labelNames: [...labelNames], registers: [] });
}

function setAll(metric: Counter, rows: readonly UsageRow[], index: number): void {
  metric.reset();
  for (const { labels, amounts } of rows) metric.inc({ ...labels }, amounts[index] ?? 0);
}
