import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** Current values of what is measured. */
export interface Figures {
  readonly applications: ReadonlyMap<string, number>;
  readonly underWay: number;
  readonly streams: number;
  readonly isCurrent: boolean;
}

/** The metrics contain no names of clients, namespaces and applications. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Histogram<"route" | "method" | "status">;
  readonly submissions: Counter<"outcome">;
  readonly submissionSeconds: Histogram;
  readonly connectionsCut: Counter<"reason">;
}

/** @param figures called whenever the metrics are read */
export function serveMetrics(figures: () => Figures): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  registry.registerMetric(
    new Gauge({
      name: "serve_applications",
      help: "Applications that are in the cluster, by phase.",
      labelNames: ["phase"],
      registers: [],
      collect() {
        this.reset();
        for (const [phase, count] of figures().applications) this.set({ phase }, count);
      },
    }),
  );
  gauge("serve_submissions_under_way", "Submissions that are under way.", () => figures().underWay);
  gauge("serve_streams_open", "Logs and streams of events that are open.", () => figures().streams);
  gauge("serve_watch_current", "1 while what is known of applications is current.", () => Number(figures().isCurrent));

  function gauge(name: string, help: string, read: () => number): void {
    const made = new Gauge({
      ...{ name, help, registers: [] },
      collect() {
        this.set(read());
      },
    });
    registry.registerMetric(made);
  }
  return {
    registry,
    requests: new Histogram({
      name: "serve_http_request_duration_seconds",
      help: "From a request to the end of its answer, by route.",
      labelNames: ["route", "method", "status"],
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    connectionsCut: new Counter({
      name: "serve_connections_cut_total",
      help: "Connections closed or refused, by reason: for-newcomer, per-client, full, pipelining, stalled.",
      labelNames: ["reason"],
      registers,
    }),
    submissions: new Counter({
      name: "serve_submissions_total",
      help: "Submissions: created, existed (the same id again), refused, failed, or overloaded.",
      labelNames: ["outcome"],
      registers,
    }),
    submissionSeconds: new Histogram({
      name: "serve_submission_duration_seconds",
      help: "From a submission's body to its driver pod, with all that belongs to it.",
      buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
  };
}
