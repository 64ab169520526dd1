import { ManualClock } from "@kindling/outside";
import { registerIdleNodes } from "../../src/console/metrics/idle-nodes.ts";
import { Metrics } from "../../src/console/metrics/metrics.ts";
import { registerQueueMetrics } from "../../src/console/metrics/queue-metrics.ts";
import { anOverview } from "../console/page/sample-overview.ts";

/** The gateway's own metrics, by name, with the labels that each has. */
export async function allMetrics(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { registry } = new Metrics(() => undefined);
  registerQueueMetrics(registry, () => anOverview());
  registerIdleNodes(registry, new ManualClock(), () => 0);
  const names = (await registry.getMetricsAsJSON())
    .map(({ name }) => name)
    .filter((name) => name.startsWith("gateway_"));
  return new Map(names.map((name) => [name, labelsOf(registry.getSingleMetric(name))]));
}

function labelsOf(metric: unknown): readonly string[] {
  return (metric as { readonly labelNames: readonly string[] }).labelNames;
}
