import { harmlessText } from "@kindling/core-spec";
import { IDLE_TIMEOUT_ANNOTATION } from "../../connect-states/connect-timers.ts";
import type { ConnectView } from "../../connect-states/decide-connect.ts";

/** What the author of a SparkConnect should know although the server runs, one sentence each. */
export function connectNotices({ timers, activity, server, faults }: ConnectView): readonly string[] {
  const isKept = server !== undefined && faults.length > 0;
  return [
    ...timers.notices,
    ...(activity.kind === "unknown"
      ? [
          `annotation ${IDLE_TIMEOUT_ANNOTATION} has no effect now, because nobody knows if the server is idle: ${activity.why}`,
        ]
      : []),
    ...(isKept ? [`the change of the spec is refused, and the server goes on without it: ${faults.join("; ")}`] : []),
  ].map((notice) => harmlessText(notice));
}
