/** What stock does to the names of metrics and labels (kubeflow/spark-operator v2.5.2, pkg/util/metrics.go). */
export function withoutDashes(name: string): string {
  return name.replaceAll("-", "_");
}

/**
 * The name of a metric as it is served. Characters that Prometheus' older rule does not allow in names become `_`, as in
 * stock's library (prometheus/common, `EscapeName` with underscores).
 */
export function metricName(prefix: string, name: string): string {
  return withoutDashes(prefix + name).replaceAll(/^\d|[^A-Za-z0-9_:]/gu, "_");
}
