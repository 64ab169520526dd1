import { Gauge, type Registry } from "prom-client";
import type { LabelValues } from "./metric-labels.ts";

export interface CountingGaugeOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** The labels of each thing to count; called at each scrape. */
  readonly present: () => Iterable<LabelValues>;
}

/** Counts things by labels. A series that existed once stays and goes to 0, as in stock. */
export function countingGauge(registry: Registry, { name, help, labelNames, present }: CountingGaugeOptions): void {
  const series = new Map<string, { readonly labels: LabelValues; count: number }>();
  const gauge = new Gauge({
    ...{ name, help, labelNames: [...labelNames], registers: [] },
    collect() {
      for (const each of series.values()) each.count = 0;
      for (const labels of present()) {
        const key = labelNames.map((label) => labels[label]).join("\n");
        const known = series.get(key);
        if (known === undefined) series.set(key, { labels, count: 1 });
        else known.count += 1;
      }
      for (const { labels, count } of series.values()) this.set(labels, count);
    },
  });
  registry.registerMetric(gauge);
}
