import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** The metrics of a server. No label names a bundle, a namespace or a client: their number has no bound. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Histogram<"route" | "method" | "status">;
  readonly receivedBytes: Counter;
  readonly sentBytes: Counter;
  /** How uploads ended: `created`, `existed`, `cut`, `refused`, `failed`. */
  readonly uploads: Counter<"outcome">;
  readonly transfers: Gauge<"direction">;
  readonly refusals: Counter<"problem">;
  readonly bundlesDeleted: Counter<"reason">;
  readonly bytesFreed: Counter;
  readonly collectionErrors: Counter<"task">;
  readonly ownerCheckErrors: Counter;
  readonly scrubbedBytes: Counter;
  /** Connections that the server ended, by reason. */
  readonly connectionsCut: Counter<"reason">;
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

export function serverMetrics(gauges: Gauges = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  addGauges({ registry }, gauges);
  return {
    registry,
    requests: new Histogram({
      name: "staging_http_request_duration_seconds",
      help: "Time from a request's headers to the end of its answer",
      labelNames: ["route", "method", "status"],
      buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 600],
      registers,
    }),
    receivedBytes: new Counter({
      name: "staging_received_bytes_total",
      help: "Bytes of files received",
      registers,
    }),
    sentBytes: new Counter({ name: "staging_sent_bytes_total", help: "Bytes of files sent", registers }),
    uploads: new Counter({
      name: "staging_uploads_total",
      help: "Uploads by how they ended: created, existed, cut, refused, failed",
      labelNames: ["outcome"],
      registers,
    }),
    transfers: new Gauge({
      name: "staging_transfers",
      help: "Transfers under way",
      labelNames: ["direction"],
      registers,
    }),
    refusals: new Counter({
      name: "staging_refusals_total",
      help: "Requests refused, by problem type",
      labelNames: ["problem"],
      registers,
    }),
    bundlesDeleted: new Counter({
      name: "staging_bundles_deleted_total",
      help: "Bundles deleted, by reason",
      labelNames: ["reason"],
      registers,
    }),
    bytesFreed: new Counter({ name: "staging_freed_bytes_total", help: "Bytes of blobs deleted", registers }),
    collectionErrors: new Counter({
      name: "staging_collection_errors_total",
      help: "Tasks of the cleaner that failed and will be tried again",
      labelNames: ["task"],
      registers,
    }),
    scrubbedBytes: new Counter({
      name: "staging_scrubbed_bytes_total",
      help: "Bytes of stored files read again to find damage",
      registers,
    }),
    ownerCheckErrors: new Counter({
      name: "staging_owner_check_errors_total",
      help: "Faults of watches of bundle owners; nothing is deleted on account of them",
      registers,
    }),
    connectionsCut: new Counter({
      name: "staging_connections_cut_total",
      help: "Connections ended by the server: for-newcomer, per-client, full, pipelining, stalled",
      labelNames: ["reason"],
      registers,
    }),
  };
}
