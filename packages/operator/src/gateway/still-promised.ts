import type { SparkApplicationStatus } from "@kindling/spark-application";

/**
 * Of promised executors those that a status is to show as such. A list of a moment ago may name one whose pod has come
 * since, and may have ended: what is known of the pod counts more.
 *
 * @param known the states that the status has, by pod name
 * @param mostTracked executors of higher ids are not shown
 */
export function stillPromised(
  names: readonly string[],
  known: SparkApplicationStatus["executorState"] = {},
  mostTracked: number = Number.POSITIVE_INFINITY,
): readonly string[] {
  return names.filter((name) => {
    const state = known[name] ?? "PENDING";
    return (state === "PENDING" || state === "UNKNOWN") && executorId(name) <= mostTracked;
  });
}

/** As Spark ends the names of executor pods; 0 for other names. */
function executorId(name: string): number {
  const [, id = "0"] = /-exec-(\d+)$/.exec(name) ?? [];
  return Number(id);
}
