import type { Archive } from "../archive/archive.ts";
import type { LogsInProgress } from "../recording/log-in-progress.ts";
import type { History } from "../runs/history.ts";

/** What routes need. */
export interface RecorderContext {
  readonly archive: Archive;
  readonly history: History;
  readonly logInProgress: LogsInProgress;
}
