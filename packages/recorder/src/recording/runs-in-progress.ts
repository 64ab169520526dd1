import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Cache, keyOf } from "@kindling/controller";
import { messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { type AskedPod, isName } from "@kindling/recorder-client";
import { dayOf } from "../archive/archive-paths.ts";
import { type KindOfNode, podLifeOf } from "../cluster/pod-life-of.ts";
import { keptPod } from "../cluster/spark-pod-text.ts";
import { hasEnded, hasLog, type SparkPod } from "../cluster/spark-pod.ts";
import type { UsageMeter } from "../metering/usage-meter.ts";
import type { History } from "../runs/history.ts";
import { RunSpool } from "../spool/run-spool.ts";
import { keptDriver, KEPT_DRIVER, spoolFolders } from "../spool/spool-folders.ts";
import { retryMs, SpoolFullError, type SpoolRoom } from "../spool/spool-room.ts";
import type { RunLogs } from "./run-logs.ts";
import { RunProgress } from "./run-progress.ts";

export interface RunsInProgressOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly history: Pick<History, "byUid" | "find">;
  readonly pods: Pick<Cache<SparkPod>, "get" | "values" | "isCurrent">;
  readonly kindOf: KindOfNode;
  readonly logs: RunLogs;
  readonly meter: UsageMeter;
  /** A folder of this machine for what is not in the archive yet. */
  readonly folder: string;
  readonly partBytes: number;
  readonly room: SpoolRoom;
  /** Called when there may be something to store of a run, or to end. */
  readonly onWork: (uid: string) => void;
  /** Called with the uid of an executor whose end is recorded. */
  readonly onRecorded: (uid: string) => void;
}

/** A namespace that is refused for so long was deleted, and its pods are gone. */
const UNSEEN_MS = 10 * 60_000;
const LOOK_AGAIN_MS = 5_000;
/** So many earlier runs are searched for earlier attempts. */
const MOST_ATTEMPTS = 100;

/** The runs that are not stored yet, and what their pods do. */
export class RunsInProgress {
  readonly #options: RunsInProgressOptions;
  /** By the uid of the driver. */
  readonly #runs = new Map<string, Promise<RunProgress>>();
  /** Those that are there at once. */
  readonly #opened = new Set<RunProgress>();
  /** The uid of the newest driver, by namespace and application id. */
  readonly #drivers = new Map<string, string>();
  /** Executors whose end is being recorded, by uid. */
  readonly #ending = new Map<string, Promise<void>>();
  #isOver = false;

  constructor(options: RunsInProgressOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#runs.size;
  }

  async get(uid: string): Promise<RunProgress | undefined> {
    return await this.#runs.get(uid);
  }

  async all(): Promise<readonly RunProgress[]> {
    return await Promise.all(this.#runs.values());
  }

  /** Begins with the pods that there are, and takes up what an earlier process has left. */
  async begin(): Promise<void> {
    const { clock, pods, folder } = this.#options;
    const known = [...pods.values()];
    // The newest driver of an application comes last: executors belong to it.
    const drivers = known.filter(({ role }) => role === "driver").toSorted((a, b) => a.created - b.created);
    for (const pod of [...drivers, ...known.filter(({ role }) => role === "executor")]) this.seen(pod, false);
    for (const left of await spoolFolders(folder)) await this.#restoreLeft(left, clock.monotonic());
  }

  /** A pod has changed, or is gone. */
  seen(pod: SparkPod, isDeleted: boolean): void {
    if (this.#isOver || !isName(pod.namespace) || !isName(pod.name) || !isName(pod.uid)) return;
    const work = pod.role === "driver" ? this.#driverSeen(pod, isDeleted) : this.#executorSeen(pod, isDeleted);
    work.catch((error: unknown) => {
      const { namespace, name } = pod;
      const { clock, log, pods } = this.#options;
      if (!(error instanceof SpoolFullError))
        log.error("a pod cannot be recorded", { namespace, pod: name, error: messageOf(error) });
      // The disk may be full, and nothing more may come of this pod.
      clock.after(retryMs(error), () => {
        const current = pods.get(keyOf(pod));
        if (isDeleted || current?.resourceVersion === pod.resourceVersion) this.seen(pod, isDeleted);
      });
    });
  }

  /** Records the end of an executor, once. */
  async endExecutor(run: RunProgress, pod: SparkPod): Promise<void> {
    const ending = this.#ending.get(pod.uid) ?? this.#recordEnd(run, pod, this.#options.clock.now());
    this.#ending.set(pod.uid, ending);
    try {
      await ending;
    } finally {
      this.#ending.delete(pod.uid);
    }
  }

  /** How far the end of an executor is recorded. */
  async endOf(asked: AskedPod): Promise<"recorded" | "open" | "unknown"> {
    const { namespace, uid } = asked;
    const newest = await this.#newestOf(this.#podOf(asked));
    if (newest?.spool.isRecorded(uid) === true) return "recorded";
    // It may belong to an earlier driver of its application, or be gone from the cluster.
    for (const { place, spool } of this.#opened)
      if (place.namespace === namespace && spool.isRecorded(uid)) return "recorded";
    return newest === undefined ? "unknown" : "open";
  }

  /** Follows the log of an executor that runs, and whose pod is to be deleted; resolves when it has begun to come. */
  async followExecutor(asked: AskedPod): Promise<void> {
    const pod = this.#podOf(asked);
    const run = await this.#newestOf(pod);
    if (pod !== undefined && run?.executors.has(pod.uid) === true) await this.#options.logs.executorLeaves(run, pod);
  }

  /** Takes no more pods. Resolves when no end of an executor is being recorded. */
  async settled(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#ending.values());
  }

  /** Closes the files of all runs: this process may go on without recording. */
  async close(): Promise<void> {
    await Promise.allSettled(Array.from(this.#opened, ({ spool }) => spool.close()));
  }

  /** A run is stored. */
  forget(run: RunProgress): void {
    const { uid } = run.place;
    const key = keyOfApplication(run.driver);
    this.#opened.delete(run);
    if (this.#drivers.get(key) === uid) this.#drivers.delete(key);
    this.#runs.delete(uid);
  }

  #podOf({ namespace, name, uid }: AskedPod): SparkPod | undefined {
    const pod = this.#options.pods.get(`${namespace}/${name}`);
    return pod?.uid === uid ? pod : undefined;
  }

  /** The run of the newest driver of a pod's application. */
  async #newestOf(pod: SparkPod | undefined): Promise<RunProgress | undefined> {
    return pod && (await this.get(this.#drivers.get(keyOfApplication(pod)) ?? ""));
  }

  async #driverSeen(pod: SparkPod, isDeleted: boolean): Promise<void> {
    const { clock, history, logs, meter, onWork } = this.#options;
    if (!this.#runs.has(pod.uid)) {
      // It ended before, and is in the archive: its pod has stayed.
      if (history.byUid(pod.uid) !== undefined) return;
      const opening = this.#open(pod).then((run) => {
        this.#opened.add(run);
        return run;
      });
      this.#runs.set(pod.uid, opening);
      this.#drivers.set(keyOfApplication(pod), pod.uid);
      // The disk may be full: who waits is told, and the next one tries again.
      opening.catch(() => this.#runs.delete(pod.uid));
    }
    const run = await this.get(pod.uid);
    if (run === undefined) return;
    run.driverSeen(pod, isDeleted, clock);
    run.secrets.learn(pod.secrets);
    meter.seen(run, pod);
    await run.spool.keep(KEPT_DRIVER, () => keptPod(run.driver, run.secrets));
    if (isDeleted) {
      meter.gone(run, pod);
      logs.driverGone(run);
    }
    logs.follow(run);
    if (run.isOver) onWork(pod.uid);
  }

  async #executorSeen(pod: SparkPod, isDeleted: boolean): Promise<void> {
    const run = await this.#newestOf(pod);
    if (run === undefined || run.spool.hasLife(pod.uid)) return;
    run.executors.set(pod.uid, pod);
    run.secrets.learn(pod.secrets);
    const { logs, meter } = this.#options;
    meter.seen(run, pod);
    if (isDeleted) meter.gone(run, pod);
    await run.spool.addBegun(pod.uid, hasLog(pod), () => keptPod(pod, run.secrets));
    if (isDeleted) logs.executorGone(run, pod);
    if (isDeleted || hasEnded(pod)) await this.endExecutor(run, pod);
    else if (pod.state.deleting) void logs.executorLeaves(run, pod);
    else await logs.executorRuns(run, pod);
  }

  async #recordEnd(run: RunProgress, pod: SparkPod, seen: number): Promise<void> {
    const { logs, kindOf, meter, onWork, onRecorded } = this.#options;
    const log = await logs.executorEnds(run, pod);
    if (!log.isRead) return;
    const latest = run.executors.get(pod.uid) ?? pod;
    const life = podLifeOf(latest, kindOf, seen);
    await run.spool.addLife({ ...life, ...(log.gap !== undefined && { logGap: log.gap }) });
    meter.recorded(run, life);
    run.executorEnded(latest);
    run.executors.delete(pod.uid);
    onRecorded(pod.uid);
    if (run.isOver) onWork(run.place.uid);
  }

  async #open(pod: SparkPod): Promise<RunProgress> {
    const { folder, partBytes, room, clock, meter, onWork } = this.#options;
    const { namespace, name: driver, uid } = pod;
    const created = Number.isFinite(pod.created) ? pod.created : clock.now();
    const place = { namespace, day: dayOf(created), driver, uid };
    const spool = await RunSpool.open({ folder: join(folder, uid), partBytes, room }, () => onWork(uid));
    const run = new RunProgress({ place, spool, attempt: this.#attemptOf(pod), driver: pod });
    for (const life of await spool.lives()) meter.recorded(run, life);
    return run;
  }

  /** Attempts of an application are counted from 1 on. */
  #attemptOf({ namespace, application, applicationName, state }: SparkPod): number {
    if (state.restart !== undefined) return state.restart.count + 1;
    const query = { mayShow: () => true, namespace, name: applicationName };
    const { runs } = this.#options.history.find(query, MOST_ATTEMPTS);
    return (runs.find((run) => run.application === application)?.attempt ?? 0) + 1;
  }

  async #restoreLeft(folder: string, since: number): Promise<void> {
    try {
      await this.#restore(folder, since);
    } catch (error) {
      this.#options.log.error("what an earlier process has left cannot be read", { folder, error: messageOf(error) });
    }
  }

  /** @param since when this began: in a namespace that nobody can see, pods are taken for gone after a while */
  async #restore(folder: string, since: number): Promise<void> {
    const { clock, pods, history, meter } = this.#options;
    const isGone = (pod: SparkPod): boolean => pods.get(keyOf(pod))?.uid !== pod.uid;
    const driver = await keptDriver(folder);
    if (driver === undefined || this.#isOver) return;
    if (!pods.isCurrent(driver.namespace) && clock.monotonic() - since < UNSEEN_MS) {
      clock.after(LOOK_AGAIN_MS, () => void this.#restoreLeft(folder, since));
      return;
    }
    // The earlier process ended between the archive and the end of the folder.
    const stored = history.byUid(driver.uid);
    if (stored !== undefined) {
      await meter.stored(await this.#open(driver), stored);
      return await rm(folder, { recursive: true, force: true });
    }
    if (isGone(driver)) await this.#driverSeen(driver, true);
    const run = await this.get(driver.uid);
    for (const pod of (await run?.spool.unended()) ?? []) {
      if (run === undefined || !isGone(pod)) continue;
      run.unseen.add(pod.uid);
      await this.endExecutor(run, pod);
    }
  }
}

function keyOfApplication({ namespace, id }: SparkPod): string {
  return `${namespace}/${id}`;
}
