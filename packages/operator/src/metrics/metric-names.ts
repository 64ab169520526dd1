/** What stock does to the names of metrics and labels (kubeflow/spark-operator v2.5.2, pkg/util/metrics.go). */
export function withoutDashes(name: string): string {
  return name.replaceAll("-", "_");
}

/**
 * The name of a metric as it is served. What Prometheus does not take in names by its older rule becomes `_`: so stock's
 * library writes such names too (prometheus/common, `EscapeName` with underscores).
 */
export function metricName(prefix: string, name: string): string {
  return withoutDashes(prefix + name).replaceAll(/^\d|[^A-Za-z0-9_:]/gu, "_");
}
