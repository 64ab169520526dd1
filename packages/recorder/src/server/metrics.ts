import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { UsageMeter } from "../metering/usage-meter.ts";
import { registerUsage } from "./usage-metrics.ts";

/** Current values of what is measured. */
export interface Measured {
  /** Runs in the archive. */
  readonly runs: () => number;
  /** Runs that have not ended, or are not in the archive yet. */
  readonly unstored: () => number;
  readonly streams: () => number;
  readonly usage: Pick<UsageMeter, "show">;
}

/** What the recorder measures. Each metric is declared once, by a field. */
export class Metrics {
  readonly registry: Registry = new Registry();
  readonly #registers = [this.registry];

  readonly requests: Histogram<"route" | "status"> = new Histogram({
    name: "recorder_http_request_duration_seconds",
    help: "From a request to the end of its answer, by route.",
    labelNames: ["route", "status"],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: this.#registers,
  });

  readonly connectionsCut: Counter<"reason"> = new Counter({
    name: "recorder_connections_cut_total",
    help: "Connections closed or refused, by reason: for-newcomer, per-client, full, pipelining.",
    labelNames: ["reason"],
    registers: this.#registers,
  });

  readonly expired: Counter = new Counter({
    name: "recorder_runs_expired_total",
    help: "Runs that were deleted because they are kept no longer.",
    registers: this.#registers,
  });

  constructor({ runs, unstored, streams, usage }: Measured) {
    collectDefaultMetrics({ register: this.registry });
    registerUsage(this.registry, usage);
    this.#current("recorder_runs", "Runs in the archive.", runs);
    this.#current("recorder_runs_unstored", "Runs that have not ended, or are not in the archive yet.", unstored);
    this.#current("recorder_streams_open", "Logs that are being sent to readers.", streams);
  }

  #current(name: string, help: string, value: () => number): void {
    const gauge = new Gauge({
      ...{ name, help, registers: this.#registers },
      collect() {
        this.set(value());
      },
    });
    gauge.set(0);
  }
}
