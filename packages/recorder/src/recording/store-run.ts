import { gzipSync } from "node:zlib";
import { SPARK_VERSION_LABEL } from "@kindling/core-spec";
import type { Diagnosis } from "@kindling/diagnosis";
import type { Archive } from "../archive/archive.ts";
import { executorsPath, logPath, recordPath, stagesPath } from "../archive/archive-paths.ts";
import { sparkContainerState } from "../cluster/spark-pod.ts";
import { storePart } from "../logs/store-part.ts";
import {
  type PodLife,
  type RecordedLog,
  recordText,
  type RunRecord,
  type Run,
  type RunState,
  type Stage,
  usageOf,
} from "@kindling/recorder-client";
import type { DriverConfiguration } from "./driver-configuration.ts";
import type { RunProgress } from "./run-progress.ts";
import type { StoredEventLog } from "./store-event-log.ts";
import type { Verdict } from "./verdict.ts";

export interface PartLimits {
  /** How many parts of one log are kept: the first ones, and the last ones. */
  readonly mostParts: number;
}

/** Stores the complete parts of the logs of a run. */
export async function storeLogs(archive: Archive, run: RunProgress, { mostParts }: PartLimits): Promise<void> {
  const first = Math.ceil(mostParts / 4);
  for (const [name, log] of run.spool.logs) {
    if (!log.hasParts) continue;
    await log.storeParts(async (part, content) => {
      await storePart(archive, logPath(run.place, name, part), content);
      const tooOld = part - (mostParts - first);
      if (part > mostParts && tooOld > first) await archive.delete(logPath(run.place, name, tooOld));
    });
  }
}

/** What is stored of a run besides its logs. */
export interface EndedRun {
  readonly run: RunProgress;
  readonly verdict: Verdict;
  readonly configuration: DriverConfiguration | undefined;
  readonly eventLog: StoredEventLog | undefined;
  /** The stages that its event log tells of. */
  readonly stages: readonly Stage[];
}

/**
 * Stores everything else about a run. Its entry in the index has to follow: only then it is found.
 *
 * @throws ArchiveError
 */
export async function storeRecord(archive: Archive, ended: EndedRun): Promise<Run> {
  const { run: progress, verdict, configuration } = ended;
  const { secrets } = progress;
  const lives = (await progress.spool.lives()).map((life) => ({ ...life, labels: secrets.cleanEntries(life.labels) }));
  const logs = logsOf(progress, lives);
  const ledger = linesOf(lives);
  const stages = linesOf(ended.stages);
  const run = runOf(
    ended,
    lives,
    logs.reduce((sum, { bytes }) => sum + bytes, ledger.length + stages.length + (ended.eventLog?.bytes ?? 0)),
  );
  const { state, image } = progress.driver;
  const record: RunRecord = {
    run,
    findings: verdict.diagnosis.findings,
    ...secrets.cleanAll(terminationOf(progress)),
    events: verdict.events,
    ...(configuration && { configuration: secrets.cleanAll(configuration.shown) }),
    ...(state.serviceAccount !== undefined && { serviceAccount: state.serviceAccount }),
    ...(image !== undefined && { image: secrets.clean(image) }),
    ...(state.node !== undefined && { node: state.node }),
    logs,
    executorEnds: endsOf(lives),
  };
  if (lives.length > 0) await archive.put(executorsPath(progress.place), ledger);
  if (ended.stages.length > 0) await archive.put(stagesPath(progress.place), stages);
  await archive.put(recordPath(progress.place), Buffer.from(recordText(record)));
  return run;
}

/** Each in a line of JSON, compressed with gzip. */
function linesOf(records: readonly object[]): Buffer {
  return gzipSync(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

function runOf({ run: progress, verdict, eventLog }: EndedRun, lives: readonly PodLife[], bytes: number): Run {
  const { place, driver, attempt, secrets } = progress;
  const own = lives.find(({ uid }) => uid === place.uid);
  const [finding] = verdict.diagnosis.findings;
  const state = stateOf(progress, verdict.diagnosis);
  const version = driver.state.labels[SPARK_VERSION_LABEL];
  return {
    ...place,
    id: driver.id,
    application: driver.application,
    name: secrets.clean(driver.applicationName),
    attempt,
    state,
    ...(state === "failed" && (finding ? { cause: finding.cause, why: finding.summary } : deleted(progress))),
    started: driver.created,
    ended: own?.ended ?? progress.endSeen ?? driver.created,
    ...(version !== undefined && { sparkVersion: version }),
    ...(driver.queue !== undefined && { queue: driver.queue }),
    labels: secrets.cleanEntries(driver.labels),
    executors: lives.filter(({ role }) => role === "executor").length,
    usage: usageOf(lives),
    bytes,
    ...(eventLog !== undefined && { eventLog: eventLog.folder }),
  };
}

/** Somebody has deleted a driver that did not fail. */
function deleted({ driver }: RunProgress): Pick<Run, "cause" | "why"> {
  if (!driver.state.deleting) return {};
  const hasBegun = sparkContainerState(driver) !== undefined;
  return { cause: "Deleted", why: `its driver was deleted before it ${hasBegun ? "ended" : "had started"}` };
}

function stateOf({ driver }: RunProgress, { findings }: Diagnosis): RunState {
  const container = sparkContainerState(driver);
  if (container?.state === "terminated") return container.exitCode === 0 ? "succeeded" : "failed";
  if (driver.state.phase === "Succeeded") return "succeeded";
  if (driver.state.phase === "Failed" || driver.state.deleting) return "failed";
  return findings.some(({ severity }) => severity === "failure") ? "failed" : "lost";
}

function terminationOf({ driver }: RunProgress): Pick<RunRecord, "termination"> {
  const container = sparkContainerState(driver);
  if (container?.state !== "terminated") return {};
  const { startedAt, finishedAt, exitCode, reason, message } = container;
  return { termination: { startedAt, finishedAt, exitCode, reason, message } };
}

/** An application may have had thousands of executors; the ledger says of each whether its log is whole. */
const MOST_LOGS = 200;

function logsOf({ spool, logGap }: RunProgress, lives: readonly PodLife[]): readonly RecordedLog[] {
  const gaps = new Map<string, string>();
  for (const { executor, logGap: gap } of lives) if (gap !== undefined) gaps.set(`executor-${executor}`, gap);
  const logs = Array.from(spool.logs, ([name, { bytes }]) => {
    const gap = name === "driver" ? logGap : gaps.get(name);
    return { name, bytes, ...(gap !== undefined && { gap }) };
  });
  const [driver, executors] = [
    logs.filter(({ name }) => name === "driver"),
    logs.filter(({ name }) => name !== "driver"),
  ];
  return [...driver, ...executors.slice(-MOST_LOGS)];
}

function endsOf(lives: readonly PodLife[]): Record<string, number> {
  const ends: Record<string, number> = {};
  for (const { role, reason } of lives) if (role === "executor") ends[reason] = (ends[reason] ?? 0) + 1;
  return ends;
}
