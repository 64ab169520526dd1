// The layout of an archive. Others read it, too: people with `zless`, Spark's history server, scripts. So it changes only with
// a new first folder.

import { isName, type RunPlace } from "@kindling/recorder-client";

const ROOT = "v1";

/** Below it there is a folder for each namespace with the folders of its runs. */
export const RUNS_FOLDER: string = `${ROOT}/runs`;

/** Below it there is a folder for each namespace with its event logs. */
export const EVENT_LOGS_FOLDER: string = `${ROOT}/event-logs`;

/** The folder of a run: its logs, its record, its executors. */
export function runFolder({ namespace, day, driver, uid }: RunPlace): string {
  return joined(RUNS_FOLDER, namespace, day, driver, uid);
}

/** What is known about the run, as JSON. */
export function recordPath(place: RunPlace): string {
  return `${runFolder(place)}/run.json`;
}

/** Each executor in a line of JSON, compressed with gzip. */
export function executorsPath(place: RunPlace): string {
  return `${runFolder(place)}/executors.jsonl.gz`;
}

/** Each attempt at a stage in a line of JSON, compressed with gzip. */
export function stagesPath(place: RunPlace): string {
  return `${runFolder(place)}/stages.jsonl.gz`;
}

/** The parts of a log. `name` is `driver`, `executor-17`, or such a name with that of a container, `driver.istio-proxy`. */
export function logFolder(place: RunPlace, name: string): string {
  return joined(logsFolder(place), name);
}

/** A part of a log: plain text, compressed with gzip. */
export function logPath(place: RunPlace, name: string, part: number): string {
  return `${logFolder(place, name)}/${String(part).padStart(6, "0")}.log.gz`;
}

/** The logs of a run. */
export function logsFolder(place: RunPlace): string {
  return `${runFolder(place)}/logs`;
}

/**
 * Event logs of a namespace, in the form that Spark's history server expects below `spark.history.fs.logDirectory`: a folder
 * `eventlog_v2_ID` for each application (org.apache.spark.deploy.history.RollingEventLogFilesWriter).
 */
export function eventLogsFolder(namespace: string): string {
  return joined(EVENT_LOGS_FOLDER, namespace);
}

/** Files with the runs of a namespace that ended on a day, each in a line of JSON. */
export function indexFolder(namespace: string, day: string): string {
  return joined(ROOT, "index", namespace, day);
}

/** Below it there is a folder for each namespace. */
export const INDEX_FOLDER: string = `${ROOT}/index`;

/** Says which recorder has recorded last. */
export const LAST_RECORDER: string = `${ROOT}/recorder.json`;

/** Below it there is a folder for each run that goes on, with what the next recorder needs of it. */
export const HANDOVER_FOLDER: string = `${ROOT}/handover`;

/** The copy of what a recorder has on its own disk of a run that goes on. */
export function handoverFolder(uid: string): string {
  return joined(HANDOVER_FOLDER, uid);
}

/** The day of a time in UTC, `2026-11-21`. */
export function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

function joined(...names: readonly string[]): string {
  for (const name of names) {
    for (const part of name.split("/"))
      if (!isName(part)) throw new RangeError(`${JSON.stringify(part)} is no name for the archive`);
  }
  return names.join("/");
}
