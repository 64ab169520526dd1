import type { ScheduledSparkApplicationSpec, ScheduledSparkApplicationStatus } from "@kindling/spark-application";
import { newestFirst, type ScheduledRun } from "./scheduled-run.ts";

export interface RunHistory {
  readonly names: Pick<ScheduledSparkApplicationStatus, "pastSuccessfulRunNames" | "pastFailedRunNames">;
  /** Runs beyond the limits. */
  readonly outdated: readonly string[];
}

const DEFAULT_LIMIT = 1;

/** Which of the ended runs are kept: the newest of each outcome (stock's `checkAndUpdatePastRuns`). */
export function runHistory(spec: ScheduledSparkApplicationSpec, runs: readonly ScheduledRun[]): RunHistory {
  const newest = newestFirst(runs);
  const names = (state: ScheduledRun["state"]): readonly string[] =>
    newest.filter((run) => run.state === state).map(({ name }) => name);
  const successful = atLimit(names("COMPLETED"), spec.successfulRunHistoryLimit);
  const failed = atLimit(names("FAILED"), spec.failedRunHistoryLimit);
  return {
    names: { pastSuccessfulRunNames: successful.kept, pastFailedRunNames: failed.kept },
    outdated: [...successful.outdated, ...failed.outdated],
  };
}

function atLimit(
  names: readonly string[],
  limit = DEFAULT_LIMIT,
): { readonly kept: readonly string[]; readonly outdated: readonly string[] } {
  const count = Math.max(limit, 0);
  return { kept: names.slice(0, count), outdated: names.slice(count) };
}
