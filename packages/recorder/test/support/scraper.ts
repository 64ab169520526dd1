import { Registry } from "prom-client";
import type { UsageMeter } from "../../src/metering/usage-meter.ts";
import { registerUsage } from "../../src/server/usage-metrics.ts";

/** A monitoring system: it knows only what it was told, and takes the first value of a series as the beginning. */
export class Scraper {
  readonly #last = new Map<string, number>();
  readonly #increases = new Map<string, number>();
  /** Series that went back without a new process. */
  readonly setBack: string[] = [];

  /** What a process tells. The series of the process before go on. */
  async scrape(registry: Registry): Promise<void> {
    this.#take(await registry.metrics(), (series) => this.setBack.push(series));
  }

  /** The first scrape of a new process: its counters begin anew. */
  async scrapeNew(registry: Registry): Promise<void> {
    this.#take(await registry.metrics(), () => undefined);
  }

  /** By how much a counter has grown, of all series whose labels contain a text. */
  increase(metric: string, labels = ""): number {
    const found = [...this.#increases].filter(([series]) => series.startsWith(metric) && series.includes(labels));
    return found.reduce((sum, [, increase]) => sum + increase, 0);
  }

  #take(text: string, onSetBack: (series: string) => void): void {
    for (const line of text.split("\n")) {
      const [, series = "", value = ""] = /^(recorder_\w+\{[^}]*\}) (\S+)$/.exec(line) ?? [];
      if (series === "") continue;
      const before = this.#last.get(series) ?? Number(value);
      if (Number(value) < before) onSetBack(series);
      const added = Number(value) < before ? Number(value) : Number(value) - before;
      this.#increases.set(series, (this.#increases.get(series) ?? 0) + added);
      this.#last.set(series, Number(value));
    }
  }
}

export function registryOf(meter: Pick<UsageMeter, "show">): Registry {
  const registry = new Registry();
  registerUsage(registry, meter);
  return registry;
}
