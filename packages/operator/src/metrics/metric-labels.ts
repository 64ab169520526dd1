import { KindlingError, quotedName } from "@kindling/core-spec";
import { metricName, withoutDashes } from "./metric-names.ts";

/** An object whose labels become labels of series: an application or one of its pods. */
export interface Labelled {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

export type LabelValues = Readonly<Record<string, string>>;

/** The labels that `--metrics-labels` names. */
export interface MetricLabels {
  /** As they are served. */
  readonly names: readonly string[];
  valuesOf(object: Labelled): LabelValues;
  /** Only the labels that are read; for code that keeps thousands of objects. */
  pick(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
}

const NONE: LabelValues = {};

/** These labels belong to histograms and summaries themselves. */
const RESERVED: ReadonlySet<string> = new Set(["le", "quantile"]);

/**
 * Labels are read from the object's labels, where dashes and underscores are the same. `namespace` is the object's
 * namespace unless it has a label of that name. An absent label is `Unknown` (kubeflow/spark-operator v2.5.2,
 * internal/metrics/sparkapplication_metrics.go, `getMetricLabels`).
 *
 * @throws KindlingError `ARGUMENT_INVALID` for the name of a label that Prometheus needs for itself
 */
export function metricLabels(wanted: readonly string[]): MetricLabels {
  const served = new Map(wanted.map((label) => [servedName(label), withoutDashes(label)]));
  const read: ReadonlySet<string> = new Set(served.values());
  for (const name of served.keys()) {
    if (RESERVED.has(name))
      throw new KindlingError(
        "ARGUMENT_INVALID",
        `--metrics-labels names ${quotedName(name)}, which Prometheus needs for itself: leave it out`,
      );
  }
  return {
    names: [...served.keys()],
    valuesOf({ namespace, labels }) {
      if (served.size === 0) return NONE;
      const values: Record<string, string> = {};
      for (const [name, label] of served)
        values[name] = valueOf(label, labels) ?? (label === "namespace" ? namespace : "Unknown");
      return values;
    },
    pick(labels) {
      const picked = Object.entries(labels).filter(([name]) => read.has(withoutDashes(name)));
      return picked.length === 0 ? NONE : Object.fromEntries(picked);
    },
  };
}

/** A loop that makes no objects, because it runs for every pod at every scrape. */
function valueOf(label: string, labels: Readonly<Record<string, string>>): string | undefined {
  for (const name in labels) if (withoutDashes(name) === label) return labels[name];
  return undefined;
}

function servedName(label: string): string {
  return metricName("", label).replaceAll(":", "_");
}
