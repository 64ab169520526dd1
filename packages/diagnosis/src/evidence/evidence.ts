import type { PodEvent } from "./pod-event.ts";
import type { PodState } from "./pod-state.ts";

/** What is known about an application at the time of a diagnosis. */
export interface Evidence {
  /** `undefined` if its pod is gone. */
  readonly driver: PodState | undefined;
  /** The container of the driver pod that runs Spark. */
  readonly driverContainer: string | undefined;
  /** The existing executor pods; `undefined` if they could not be read. */
  readonly executors: readonly PodState[] | undefined;
  /** Events about these pods, in any order; `undefined` if they could not be read. */
  readonly events: readonly PodEvent[] | undefined;
  /** The last lines of the driver's log; `undefined` if there is none, or if it could not be read. */
  readonly log: readonly string[] | undefined;
  /** The time of each of these lines, in RFC 3339, if it is known. */
  readonly logTimes?: readonly string[] | undefined;
  /** The last lines of the log of a failed executor, if its pod still exists. */
  readonly executorLog?: { readonly pod: string; readonly log: readonly string[] } | undefined;
}
