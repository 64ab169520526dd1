import { EVENT_LOG_CONTAINER } from "@kindling/core-spec";
import type { Archive } from "../archive/archive.ts";
import { eventLogsFolder } from "../archive/archive-paths.ts";
import type { SpooledEventFile } from "../spool/event-log-spool.ts";
import type { RunProgress } from "./run-progress.ts";

const UNFINISHED = ".inprogress";

/** Whether the driver's pod still brings its event log. */
export function isShipping({ driver, isGone, spool }: RunProgress): boolean {
  if (isGone || spool.eventLog.isComplete) return false;
  const shipper = driver.state.containers.find(({ name }) => name === EVENT_LOG_CONTAINER);
  return shipper !== undefined && shipper.state !== "terminated";
}

/** What was stored of a run's event logs. */
export interface StoredEventLog {
  /** The folder of the latest one, below those of its namespace. */
  readonly folder: string;
  readonly bytes: number;
}

/**
 * Stores the event logs of a run, in the form that Spark's history server reads.
 *
 * @returns `undefined` if there are none
 * @throws ArchiveError
 */
export async function storeEventLogs(archive: Archive, run: RunProgress): Promise<StoredEventLog | undefined> {
  const { spool, place, attempt } = run;
  const files = spool.eventLog.files.filter((file, _, all) => !isReplaced(file, all));
  let stored: StoredEventLog | undefined;
  for (const file of files) {
    // Attempts that a gateway makes have the same application id.
    const folder = attempt > 1 ? `${file.log}_${attempt}` : file.log;
    await archive.putFile(`${eventLogsFolder(place.namespace)}/${folder}/${file.name}`, spool.eventLog.pathOf(file));
    stored = { folder, bytes: (stored?.bytes ?? 0) + file.size };
  }
  return stored;
}

/** At its end, an application gives its file of status another name. */
function isReplaced({ log, name }: SpooledEventFile, all: readonly SpooledEventFile[]): boolean {
  if (!name.endsWith(UNFINISHED)) return false;
  const final = name.slice(0, -UNFINISHED.length);
  return all.some((other) => other.log === log && other.name === final);
}
