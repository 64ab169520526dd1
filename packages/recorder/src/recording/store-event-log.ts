import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { EVENT_LOG_CONTAINER } from "@kindling/core-spec";
import type { ContainerState } from "@kindling/diagnosis";
import { isName } from "@kindling/recorder-client";
import type { Archive } from "../archive/archive.ts";
import { eventLogsFolder } from "../archive/archive-paths.ts";
import { finalStatusName } from "../spool/event-file-names.ts";
import type { SpooledEventFile } from "../spool/event-log-spool.ts";
import type { RunProgress } from "./run-progress.ts";

/** Whether the driver's pod still brings its event log. */
export function isShipping(run: RunProgress): boolean {
  if (run.isGone || run.spool.eventLog.isComplete) return false;
  const shipper = shipperOf(run);
  return shipper !== undefined && shipper.state !== "terminated";
}

/** The container that brings the event log; `undefined` if the driver's pod has none. */
function shipperOf({ driver }: RunProgress): ContainerState | undefined {
  return driver.state.containers.find(({ name }) => name === EVENT_LOG_CONTAINER);
}

/** What was stored of a run's event logs. */
export interface StoredEventLog {
  /** The folder of the latest one, below those of its namespace. */
  readonly folder: string;
  readonly bytes: number;
}

/**
 * Stores the files of event logs into which Spark writes no more, while the application runs: they would take much of this
 * machine's disk, and be gone with it.
 *
 * @throws ArchiveError
 */
export async function storeFinishedEvents(archive: Archive, run: RunProgress): Promise<void> {
  const { eventLog } = run.spool;
  const { finished } = eventLog;
  // Without this file, Spark's history server refuses the folder.
  const logs = new Set(finished.map(({ log }) => log));
  const statusFiles = eventLog.files.filter(({ log, name }) => logs.has(log) && finalStatusName(name) !== undefined);
  for (const file of statusFiles) await archive.putFile(pathOf(run, file), eventLog.pathOf(file));
  for (const file of finished) {
    await archive.putFile(pathOf(run, file), eventLog.pathOf(file));
    await eventLog.stored(file);
  }
}

/**
 * Stores the event logs of a run, in the form that Spark's history server reads.
 *
 * @returns `undefined` if there are none
 * @throws ArchiveError
 */
export async function storeEventLogs(archive: Archive, run: RunProgress): Promise<StoredEventLog | undefined> {
  const { eventLog } = run.spool;
  let stored: StoredEventLog | undefined;
  for (const file of eventLog.files) {
    if (isReplaced(file, eventLog.files)) {
      const wasStored = eventLog.files.some((other) => other.log === file.log && eventLog.isStored(other));
      if (wasStored) await archive.delete(pathOf(run, file));
      continue;
    }
    if (!eventLog.isStored(file)) await archive.putFile(pathOf(run, file), eventLog.pathOf(file));
    stored = { folder: folderOf(run, file.log), bytes: (stored?.bytes ?? 0) + file.size };
  }
  return stored ?? (await storedBefore(archive, run));
}

/** What is in the archive of the event log, if this machine's disk was lost since. */
async function storedBefore(archive: Archive, run: RunProgress): Promise<StoredEventLog | undefined> {
  const { place } = run;
  const log = logOf(run);
  if (shipperOf(run) === undefined || !isName(log)) return undefined;
  const folder = folderOf(run, log);
  let bytes = 0;
  for await (const { size } of archive.list(`${eventLogsFolder(place.namespace)}/${folder}`)) bytes += size;
  return bytes > 0 ? { folder, bytes } : undefined;
}

/** The folders of the archive in which event logs of a run are, or may be. */
export function eventLogFolders(run: RunProgress): readonly string[] {
  const { place, spool } = run;
  const logs = new Set([logOf(run), ...spool.eventLog.files.map(({ log }) => log)]);
  return Array.from(logs, (log) => `${eventLogsFolder(place.namespace)}/${folderOf(run, log)}`);
}

/** A file of an event log of this run; `undefined` if it is not there. */
export async function openEvents(
  archive: Archive,
  run: RunProgress,
  file: SpooledEventFile,
): Promise<Readable | undefined> {
  const { eventLog } = run.spool;
  return eventLog.isStored(file) ? await archive.open(pathOf(run, file)) : createReadStream(eventLog.pathOf(file));
}

/** The folder that Spark makes for the event log of an application. */
function logOf({ driver }: RunProgress): string {
  return `eventlog_v2_${driver.id}`;
}

/** Attempts that a gateway makes have the same application id. */
function folderOf({ attempt }: RunProgress, log: string): string {
  return attempt > 1 ? `${log}_${attempt}` : log;
}

function pathOf(run: RunProgress, { log, name }: SpooledEventFile): string {
  return `${eventLogsFolder(run.place.namespace)}/${folderOf(run, log)}/${name}`;
}

/** At its end, an application gives its file of status another name. */
function isReplaced({ log, name }: SpooledEventFile, all: readonly SpooledEventFile[]): boolean {
  const final = finalStatusName(name);
  return final !== undefined && all.some((other) => other.log === log && other.name === final);
}
