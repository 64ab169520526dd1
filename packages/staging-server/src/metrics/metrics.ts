import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/**
 * What a server measures. Each metric is declared once, by a field. No label names a bundle, a namespace or a client, because
 * their number has no bound.
 */
export class Metrics {
  readonly registry: Registry = new Registry();
  readonly #registers = [this.registry];

  readonly requests: Histogram<"route" | "method" | "status"> = new Histogram({
    name: "staging_http_request_duration_seconds",
    help: "Time from a request's headers to the end of its answer",
    labelNames: ["route", "method", "status"],
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 600],
    registers: this.#registers,
  });

  readonly receivedBytes: Counter = new Counter({
    name: "staging_received_bytes_total",
    help: "Bytes of files received",
    registers: this.#registers,
  });

  readonly sentBytes: Counter = new Counter({
    name: "staging_sent_bytes_total",
    help: "Bytes of files sent",
    registers: this.#registers,
  });

  readonly uploads: Counter<"outcome"> = new Counter({
    name: "staging_uploads_total",
    help: "Uploads by how they ended: created, existed, cut, refused, failed",
    labelNames: ["outcome"],
    registers: this.#registers,
  });

  readonly transfers: Gauge<"direction"> = new Gauge({
    name: "staging_transfers",
    help: "Transfers under way",
    labelNames: ["direction"],
    registers: this.#registers,
  });

  readonly refusals: Counter<"problem"> = new Counter({
    name: "staging_refusals_total",
    help: "Requests refused, by problem type",
    labelNames: ["problem"],
    registers: this.#registers,
  });

  readonly bundlesDeleted: Counter<"reason"> = new Counter({
    name: "staging_bundles_deleted_total",
    help: "Bundles deleted, by reason",
    labelNames: ["reason"],
    registers: this.#registers,
  });

  readonly bytesFreed: Counter = new Counter({
    name: "staging_freed_bytes_total",
    help: "Bytes of blobs deleted",
    registers: this.#registers,
  });

  readonly collectionErrors: Counter<"task"> = new Counter({
    name: "staging_collection_errors_total",
    help: "Tasks of the cleaner that failed and will be tried again",
    labelNames: ["task"],
    registers: this.#registers,
  });

  readonly scrubbedBytes: Counter = new Counter({
    name: "staging_scrubbed_bytes_total",
    help: "Bytes of stored files read again to find damage",
    registers: this.#registers,
  });

  readonly ownerCheckErrors: Counter = new Counter({
    name: "staging_owner_check_errors_total",
    help: "Faults of watches of bundle owners; nothing is deleted on account of them",
    registers: this.#registers,
  });

  readonly connectionsCut: Counter<"reason"> = new Counter({
    name: "staging_connections_cut_total",
    help: "Connections ended by the server: for-newcomer, per-client, full, pipelining, stalled",
    labelNames: ["reason"],
    registers: this.#registers,
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }
}

/** A figure that is kept elsewhere, and read at each scrape. */
interface Measured<T> {
  readonly help: string;
  readonly read: () => T;
}

export type Gauges = Readonly<Record<string, Measured<number | undefined>>>;
export type Counters = Readonly<Record<string, Measured<number>>>;

export function addGauges({ registry }: Pick<Metrics, "registry">, gauges: Gauges): void {
  for (const [name, { help, read }] of Object.entries(gauges)) {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          const value = read();
          if (value === undefined) this.reset();
          else this.set(value);
        },
      }),
    );
  }
}

export function addCounters({ registry }: Pick<Metrics, "registry">, counters: Counters): void {
  for (const [name, { help, read }] of Object.entries(counters)) {
    registry.registerMetric(
      new Counter({
        name,
        help,
        registers: [],
        collect() {
          this.reset();
          this.inc(read());
        },
      }),
    );
  }
}
