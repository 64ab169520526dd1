import type { PodEvent } from "./pod-event.ts";
import type { PodState } from "./pod-state.ts";

/** What is known of an application when somebody asks how it is. */
export interface Evidence {
  /** `undefined` once its pod is gone. */
  readonly driver: PodState | undefined;
  /** The container of the driver pod that runs Spark. */
  readonly driverContainer: string | undefined;
  /** The executor pods that are there; `undefined` where nobody could look. */
  readonly executors: readonly PodState[] | undefined;
  /** Events about these pods, in any order; `undefined` where nobody could look. */
  readonly events: readonly PodEvent[] | undefined;
  /** The last lines of the driver's log; `undefined` where there is none, or nobody could look. */
  readonly log: readonly string[] | undefined;
  /** When each of these lines was written, in RFC 3339; where it is known. */
  readonly logTimes?: readonly string[] | undefined;
  /** The last lines of the log of an executor that failed, whose pod is there. */
  readonly executorLog?: { readonly pod: string; readonly log: readonly string[] } | undefined;
}
