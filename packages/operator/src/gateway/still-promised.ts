import type { SparkApplicationStatus } from "@kindling/spark-application";

/**
 * The promised executors that a status has to show as such. The list is from a moment ago, and the pod of an executor in
 * it may exist or have ended since: the known state of the pod wins.
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
