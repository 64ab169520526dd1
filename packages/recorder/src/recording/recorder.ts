import {
  againAfter,
  againLater,
  type Cache,
  done,
  type ReconcileResult,
  type RunningController,
  type Term,
} from "@kindling/controller";
import { messageOf, SPARK_EXECUTOR_ID_LABEL } from "@kindling/core-spec";
import { type Outside, sleep } from "@kindling/outside";
import type { AskedPod, PodEnd } from "@kindling/recorder-client";
import type { Log } from "@kindling/service";
import type { Archive } from "../archive/archive.ts";
import { runFolder } from "../archive/archive-paths.ts";
import { type KindOfNode, podLifeOf } from "../cluster/pod-life-of.ts";
import type { SparkPod } from "../cluster/spark-pod.ts";
import { ExecutorLogs } from "../logs/executor-logs.ts";
import type { UsageMeter } from "../metering/usage-meter.ts";
import type { History } from "../runs/history.ts";
import type { RunIndex } from "../runs/run-index.ts";
import { driverConfiguration, type DriverConfiguration } from "./driver-configuration.ts";
import { stagesOfLog } from "../stages/stages-of-log.ts";
import type { Stage } from "@kindling/recorder-client";
import { PodEnds } from "./pod-ends.ts";
import type { LogInProgress } from "./log-in-progress.ts";
import { RunLogs } from "./run-logs.ts";
import type { RunProgress } from "./run-progress.ts";
import { RunsInProgress } from "./runs-in-progress.ts";
import type { EventLogTarget } from "./event-log-target.ts";
import { eventLogFolders, isShipping, openEvents, storeEventLogs, storeFinishedEvents } from "./store-event-log.ts";
import { storeLogs, storeRecord } from "./store-run.ts";
import { SpoolFullError, SpoolRoom } from "../spool/spool-room.ts";
import { type Verdict, verdict } from "./verdict.ts";

export interface RecorderSettings {
  /** A folder of this machine for what is not in the archive yet. */
  readonly spoolFolder: string;
  /** How much may be in it, in bytes; `undefined` for no limit. */
  readonly spoolBytes: number | undefined;
  /** The size of a part of a log, in bytes. */
  readonly partBytes: number;
  /** How many parts of one log are kept. */
  readonly mostParts: number;
  /** The pause between two readings of an executor's log. */
  readonly tailMs: number;
  readonly tailsPerSecond: number;
  /** How many logs of executors are read at the same time. */
  readonly readAtOnce: number;
  /** Whether this machine's folder may be lost, so that the next recorder needs a copy of what is in it. */
  readonly handOver: boolean;
  /** The label of driver pods by which metrics tell teams apart. */
  readonly teamLabel: string;
  /** How many values of it they tell apart. */
  readonly mostTeams: number;
}

export interface RecorderOptions extends Pick<Outside, "clock" | "random"> {
  readonly log: Log;
  readonly archive: Archive;
  readonly index: RunIndex;
  readonly history: History;
  readonly pods: Cache<SparkPod>;
  readonly kindOf: KindOfNode;
  readonly meter: UsageMeter;
  readonly settings: RecorderSettings;
}

/** Lines of logs are on the disk after this time at the latest. */
const FLUSH_MS = 2_000;
/** After its driver, executors end by themselves, or Kubernetes deletes them. */
const EXECUTORS_END_MS = 60_000;
/** After its end, a driver's event log is waited for so long. */
const EVENT_LOG_MS = 90_000;
const LOOK_AGAIN_MS = 1_000;
const WORKERS = 16;
const VERDICT_MS = 10_000;
const TAIL_LINES = 2_000;
const EXECUTOR_TAIL_LINES = 200;

/**
 * Takes over what applications leave behind: their logs while they run, and the rest when they have ended. A run is one driver
 * pod. All that is known of it is on the disk of this machine, until it is in the archive as a whole.
 */
export class Recorder {
  readonly #term: Term;
  readonly #options: RecorderOptions;
  readonly #executorLogs: ExecutorLogs;
  readonly #runs: RunsInProgress;
  readonly #podEnds: PodEnds;
  readonly #room: SpoolRoom;
  readonly #running: RunningController;
  readonly #stopped = new AbortController();
  /** These go with the pods, so they are kept as soon as they are known. By the uid of the driver. */
  readonly #configurations = new Map<string, Promise<DriverConfiguration | undefined>>();
  readonly #verdicts = new Map<string, Verdict>();

  constructor(term: Term, options: RecorderOptions) {
    this.#term = term;
    this.#options = options;
    const { clock, random, log, pods, history, kindOf, meter, settings } = options;
    const { signal } = this.#stopped;
    const { readAtOnce: atOnce, tailsPerSecond, tailMs: everyMs } = settings;
    this.#running = term.run({
      name: "runs",
      watches: [],
      workers: WORKERS,
      reconcile: (uid) => this.#reconcile(uid),
    });
    const onWork = (uid: string): void => this.#running.add(uid);
    const executorLogs = new ExecutorLogs({ clock, signal, atOnce, tailsPerSecond, everyMs });
    this.#executorLogs = executorLogs;
    const logs = new RunLogs({
      ...{ client: term.client, clock, random, log, signal, onChange: onWork, executorLogs },
      secretsKnown: async (run) => void (await this.#configurationOf(run)),
    });
    const { spoolFolder: folder, spoolBytes: most, partBytes } = settings;
    const onFull = (): void => void this.#runs.all().then((runs) => runs.forEach(({ place }) => onWork(place.uid)));
    this.#room = new SpoolRoom({ folder, most, clock, log, onFull });
    this.#podEnds = new PodEnds({
      clock,
      endOf: (pod) => this.#runs.endOf(pod),
      follow: (pod) => this.#runs.followExecutor(pod),
    });
    const onRecorded = (executor: string): void => this.#podEnds.recorded(executor);
    const work = { onWork, onRecorded };
    this.#runs = new RunsInProgress({
      clock,
      log,
      history,
      pods,
      kindOf,
      logs,
      meter,
      folder,
      partBytes,
      room: this.#room,
      ...work,
    });
    term.onEnd(() => this.#stop());
    term.onEnd(pods.subscribe({ changed: ({ type, record }) => this.#runs.seen(record, type === "deleted") }));
    this.#runs.begin().catch((error: unknown) => {
      log.error("what an earlier process has left cannot be read", { folder, error: messageOf(error) });
    });
    void this.#flushForever();
    void this.#room.measureForever(signal);
  }

  /** How many runs are not stored yet. */
  get size(): number {
    return this.#runs.size;
  }

  /** The folders of the archive that belong to runs that are not stored yet. */
  async foldersInUse(): Promise<ReadonlySet<string>> {
    const runs = await this.#runs.all();
    return new Set(runs.flatMap((run) => [runFolder(run.place), ...eventLogFolders(run)]));
  }

  /** Where the event log of a driver goes, by the uid of its pod. */
  async eventLogOf(uid: string): Promise<EventLogTarget | undefined> {
    const run = await this.#runs.get(uid);
    if (run === undefined) return undefined;
    return { log: run.spool.eventLog, hasDriverEnded: () => run.isOver, onComplete: () => this.#running.add(uid) };
  }

  /** A log of a run that is not stored yet, by the uid of its driver's pod. */
  async logInProgress(uid: string, name: string): Promise<LogInProgress | undefined> {
    const run = await this.#runs.get(uid);
    const log = run?.spool.logs.get(name);
    return run === undefined || log === undefined ? undefined : { place: run.place, log };
  }

  /** Waits until the end of an executor is recorded, so that its pod may be deleted. */
  async podEnd(pod: AskedPod, signal: AbortSignal): Promise<PodEnd> {
    return await this.#podEnds.of(pod, signal, this.#stopped.signal);
  }

  #configurationOf({ driver, secrets }: RunProgress): Promise<DriverConfiguration | undefined> {
    const known = this.#configurations.get(driver.uid);
    if (known !== undefined) return known;
    const reading = driverConfiguration(this.#term.client, driver, this.#stopped.signal).then((read) => {
      secrets.learn(read?.secrets ?? []);
      return read;
    });
    this.#configurations.set(driver.uid, reading);
    return reading;
  }

  async #reconcile(uid: string): Promise<ReconcileResult> {
    const run = await this.#runs.get(uid);
    if (run === undefined) return done;
    try {
      const isStored = await this.#store(run);
      if (isStored === "not-over") return done;
      if (isStored === "not-yet") return againAfter(LOOK_AGAIN_MS);
    } catch (error) {
      const { namespace, driver } = run.place;
      this.#options.log.warn("a run cannot be stored yet", { namespace, driver, error: messageOf(error) });
      return againLater;
    }
    await run.spool.remove();
    this.#options.meter.removed(uid);
    this.#runs.forget(run);
    this.#configurations.delete(uid);
    this.#verdicts.delete(uid);
    return done;
  }

  async #store(run: RunProgress): Promise<"not-over" | "not-yet" | "stored"> {
    const { archive, index, clock, settings, kindOf, meter } = this.#options;
    // Pods may wait for the reading of logs, and nothing waits for this.
    if (this.#executorLogs.areQuiet || this.#room.isFull) {
      if (this.#room.isFull) for (const log of run.spool.logs.values()) await log.completePart();
      await storeLogs(archive, run, settings);
      await storeFinishedEvents(archive, run);
    } else if (!run.isOver) return "not-yet";
    if (!run.isOver) return "not-over";
    if (!run.isLogRead) return "not-yet";
    const found = await this.#verdictOf(run);
    if (!(await this.#haveExecutorsEnded(run)) || this.#awaitsEventLog(run)) return "not-yet";
    const life = podLifeOf(run.driver, kindOf, run.endSeen ?? clock.now());
    await run.spool.addLife({ ...life, ...(run.logGap !== undefined && { logGap: run.logGap }) });
    meter.recorded(run, life);
    for (const log of run.spool.logs.values()) await log.complete();
    await storeLogs(archive, run, settings);
    const configuration = await this.#configurationOf(run);
    const eventLog = await storeEventLogs(archive, run);
    const stages = await this.#stagesOf(run);
    const stored = await storeRecord(archive, { run, verdict: found, configuration, eventLog, stages });
    await index.add([stored]);
    await meter.stored(run, stored);
    return "stored";
  }

  /** Its evidence goes with the pods, so it is found before anything else is waited for. */
  async #verdictOf(run: RunProgress): Promise<Verdict> {
    const known = this.#verdicts.get(run.place.uid);
    if (known !== undefined) return known;
    await this.#configurationOf(run);
    const found = await verdict({
      client: this.#term.client,
      secrets: run.secrets,
      driver: run.driver.state,
      executors: run.examined(),
      log: await run.spool.tail("driver", TAIL_LINES),
      executorLog: await executorLog(run),
      now: this.#options.clock.now(),
      signal: AbortSignal.any([AbortSignal.timeout(VERDICT_MS), this.#stopped.signal]),
    });
    this.#verdicts.set(run.place.uid, found);
    return found;
  }

  /** Whether all executors have ended; after a while, those that have not are recorded as they are. */
  async #haveExecutorsEnded(run: RunProgress): Promise<boolean> {
    if (run.executors.size === 0) return true;
    if (run.overFor(this.#options.clock) < EXECUTORS_END_MS) return false;
    for (const pod of [...run.executors.values()]) await this.#runs.endExecutor(run, pod);
    return true;
  }

  /** Without them, the rest of the run is worth as much. */
  async #stagesOf(run: RunProgress): Promise<readonly Stage[]> {
    try {
      return await stagesOfLog(run.spool.eventLog.files, (file) => openEvents(this.#options.archive, run, file));
    } catch (error) {
      const { namespace, driver } = run.place;
      this.#options.log.warn("an event log cannot be read", { namespace, driver, error: messageOf(error) });
      return [];
    }
  }

  /** Its driver's pod brings it, but not for ever. */
  #awaitsEventLog(run: RunProgress): boolean {
    return isShipping(run) && run.overFor(this.#options.clock) < EVENT_LOG_MS;
  }

  async #flushForever(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await sleep(clock, FLUSH_MS, signal);
      await this.#flush();
    }
  }

  /** A disk that is full is no reason to end, and none not to end: it is tried again, and the service can be stopped. */
  async #flush(): Promise<void> {
    try {
      const runs = await this.#runs.all();
      await Promise.all(runs.map(({ spool }) => spool.flush()));
    } catch (error) {
      if (!(error instanceof SpoolFullError))
        this.#options.log.warn("logs cannot be written to the disk", { error: messageOf(error) });
    }
  }

  async #stop(): Promise<void> {
    this.#stopped.abort();
    await this.#runs.settled();
    await this.#flush();
    await this.#runs.close();
    await this.#options.meter.end();
  }
}

type ExecutorTail = { readonly pod: string; readonly log: readonly string[] };

async function executorLog(run: RunProgress): Promise<ExecutorTail | undefined> {
  const failed = run.examined().findLast(({ phase }) => phase === "Failed");
  const id = failed?.labels[SPARK_EXECUTOR_ID_LABEL];
  if (failed === undefined || id === undefined) return undefined;
  return { pod: failed.name, log: await run.spool.tail(`executor-${id}`, EXECUTOR_TAIL_LINES) };
}
