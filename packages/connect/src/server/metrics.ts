import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** Current values of what is measured. */
export interface Measured {
  readonly connections: () => number;
  readonly calls: () => number;
  readonly sessions: () => number;
  /** By profile, and whether they belong to sessions or wait for one. */
  readonly drivers: () => readonly { readonly profile: string; readonly state: "in-use" | "waiting" }[];
}

/** What the service measures. Each metric is declared once, by a field. */
export class Metrics {
  readonly registry: Registry = new Registry();
  readonly #registers = [this.registry];

  readonly calls: Histogram<"method" | "status"> = new Histogram({
    name: "connect_call_duration_seconds",
    help: "From the headers of a call to its end, by method and status. Status is a number of gRPC that a driver answered, or a word for what this service did.",
    labelNames: ["method", "status"],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120, 600],
    registers: this.#registers,
  });

  readonly cut: Counter<"reason"> = new Counter({
    name: "connect_cut_total",
    help: "Connections and calls that were closed or refused, by reason: connections, per-client, silent, useless-calls, stalled, token.",
    labelNames: ["reason"],
    registers: this.#registers,
  });

  readonly stopped: Counter<"reason"> = new Counter({
    name: "connect_drivers_stopped_total",
    help: "Drivers that were stopped, by reason: idle, old, released, never-ready, superfluous, no-profile.",
    labelNames: ["reason"],
    registers: this.#registers,
  });

  constructor({ connections, calls, sessions, drivers }: Measured) {
    collectDefaultMetrics({ register: this.registry });
    this.#current("connect_connections_open", "Connections of clients.", connections);
    this.#current("connect_calls_open", "Calls under way.", calls);
    this.#current(
      "connect_sessions",
      "Sessions that were used within the last hour and have not been released.",
      sessions,
    );
    const gauge = new Gauge({
      name: "connect_drivers",
      help: "Drivers by profile and state: in-use or waiting.",
      labelNames: ["profile", "state"],
      registers: this.#registers,
      collect() {
        this.reset();
        for (const labels of drivers()) this.inc(labels);
      },
    });
    gauge.reset();
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
