/**
 * The number of a file with events, `events_3_ID`; 0 for another file (Spark 3.5 and 4.x,
 * org.apache.spark.deploy.history.RollingEventLogFilesWriter).
 */
export function eventsIndex(name: string): number {
  return Number(/^events_(\d+)_/.exec(name)?.[1] ?? 0);
}

const UNFINISHED = ".inprogress";

/** The name that the status file of an application gets at its end; `undefined` if this is no status file of one that runs. */
export function finalStatusName(name: string): string | undefined {
  return name.startsWith("appstatus_") && name.endsWith(UNFINISHED) ? name.slice(0, -UNFINISHED.length) : undefined;
}
