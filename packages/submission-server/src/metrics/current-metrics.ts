import { Gauge, type Registry } from "prom-client";
import type { Applications } from "../applications/applications.ts";
import type { Gates } from "../http/gates.ts";

/** Current values of what is measured. */
export interface Measured {
  readonly applications: Pick<Applications, "all" | "isCurrent">;
  readonly gates: Gates;
}

/** A value with its labels. */
type Row = readonly [labels: Readonly<Record<string, string>>, value: number];

interface CurrentMetric {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly rows: (measured: Measured) => Iterable<Row>;
}

const METRICS: readonly CurrentMetric[] = [
  {
    name: "serve_applications",
    help: "Applications that are in the cluster, by phase.",
    labels: ["phase"],
    rows: ({ applications }) => [...phasesOf(applications)].map(([phase, count]): Row => [{ phase }, count]),
  },
  {
    name: "serve_submissions_under_way",
    help: "Submissions that are under way.",
    labels: [],
    rows: ({ gates }) => [[{}, gates.submissions.inside]],
  },
  {
    name: "serve_streams_open",
    help: "Logs and streams of events that are open.",
    labels: [],
    rows: ({ gates }) => [[{}, gates.streams.inside]],
  },
  {
    name: "serve_watch_current",
    help: "1 while what is known of applications is current.",
    labels: [],
    rows: ({ applications }) => [[{}, Number(applications.isCurrent)]],
  },
];

/** Registers the metrics whose values are read when the metrics are requested. */
export function registerCurrentMetrics(registry: Registry, measured: Measured): void {
  for (const { name, help, labels, rows } of METRICS) {
    const gauge = new Gauge({
      ...{ name, help, labelNames: [...labels], registers: [] },
      collect() {
        // A phase without applications has no series.
        this.reset();
        for (const [values, value] of rows(measured)) this.set(values, value);
      },
    });
    registry.registerMetric(gauge);
  }
}

function phasesOf(applications: Measured["applications"]): ReadonlyMap<string, number> {
  const phases = new Map<string, number>();
  for (const { phase } of applications.all()) phases.set(phase, (phases.get(phase) ?? 0) + 1);
  return phases;
}
