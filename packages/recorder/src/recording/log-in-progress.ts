import type { RunPlace } from "@kindling/recorder-client";
import type { LogSpool } from "../spool/log-spool.ts";

/** A log of a run that is not stored yet. */
export interface LogInProgress {
  readonly place: RunPlace;
  readonly log: Pick<LogSpool, "unstored" | "tail">;
}

/** The log of this name, of the run with this uid; `undefined` if there is none. */
export type LogsInProgress = (uid: string, name: string) => Promise<LogInProgress | undefined>;
