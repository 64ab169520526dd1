import { ManualClock } from "@kindling/outside";
import { createOperatorMetrics, type MetricSources, type OperatorMetrics } from "../../src/metrics/operator-metrics.ts";
import type { MetricsSettings } from "../../src/flags/operator-settings.ts";

export function metricsOf(
  settings: Partial<MetricsSettings> = {},
  sources: Partial<MetricSources> = {},
): OperatorMetrics {
  return createOperatorMetrics(
    { prefix: "", labels: [], jobSubmitLatencyBuckets: [1, 60, 90], jobStartLatencyBuckets: [30, 60], ...settings },
    {
      clock: new ManualClock(),
      applications: () => [],
      pods: () => [],
      isLeading: () => true,
      leaseName: undefined,
      readProcess: () => undefined,
      ...sources,
    },
  );
}

/** The series of a scrape whose names have this prefix, except those that are 0. */
export async function series({ registry }: OperatorMetrics, prefix = "spark_"): Promise<Record<string, number>> {
  const lines = (await registry.metrics()).split("\n").filter((line) => line.startsWith(prefix));
  const values = lines.map((line): [string, number] => {
    const gap = line.lastIndexOf(" ");
    return [line.slice(0, gap), Number(line.slice(gap + 1))];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== 0));
}
