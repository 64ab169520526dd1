import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";
import { type Measured, registerCurrentMetrics } from "./current-metrics.ts";

/**
 * What the service measures. Each metric is declared once, by a field. The metrics contain no names of clients, namespaces
 * and applications.
 */
export class Metrics {
  readonly registry: Registry = new Registry();
  readonly #registers = [this.registry];

  readonly requests: Histogram<"route" | "method" | "status"> = new Histogram({
    name: "serve_http_request_duration_seconds",
    help: "From a request to the end of its answer, by route.",
    labelNames: ["route", "method", "status"],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: this.#registers,
  });

  readonly connectionsCut: Counter<"reason"> = new Counter({
    name: "serve_connections_cut_total",
    help: "Connections closed or refused, by reason: for-newcomer, per-client, full, pipelining, stalled.",
    labelNames: ["reason"],
    registers: this.#registers,
  });

  readonly submissions: Counter<"outcome"> = new Counter({
    name: "serve_submissions_total",
    help: "Submissions: created, existed (the same id again), refused, failed, or overloaded.",
    labelNames: ["outcome"],
    registers: this.#registers,
  });

  readonly submissionSeconds: Histogram = new Histogram({
    name: "serve_submission_duration_seconds",
    help: "From a submission's body to its driver pod, with all that belongs to it.",
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: this.#registers,
  });

  constructor(measured: Measured) {
    collectDefaultMetrics({ register: this.registry });
    registerCurrentMetrics(this.registry, measured);
  }
}
