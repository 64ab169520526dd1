import { messageOf } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { type Clock, type Random, sleep } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { hasEnded, hasLog, type SparkPod } from "../cluster/spark-pod.ts";
import { followLog } from "../logs/follow-log.ts";
import type { ExecutorLogs } from "../logs/executor-logs.ts";
import { LogReader } from "../logs/log-reader.ts";
import { redactLines } from "../logs/redact-lines.ts";
import { withPatience } from "../logs/with-patience.ts";
import { retryMs, SpoolFullError } from "../spool/spool-room.ts";
import { LeavingLogs } from "./leaving-logs.ts";
import type { RunProgress } from "./run-progress.ts";

export interface RunLogsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  readonly log: Log;
  readonly executorLogs: ExecutorLogs;
  /** Resolves when a run knows the secrets that may not occur in its logs. */
  readonly secretsKnown: (run: RunProgress) => Promise<void>;
  /** Called when something about a run has changed. */
  readonly onChange: (uid: string) => void;
  readonly signal: AbortSignal;
}

/** Whether a log was read to its end, and what is missing of it, in a sentence. */
export type LogEnd = { readonly isRead: true; readonly gap: string | undefined } | { readonly isRead: false };

/** After its pod is gone, a log is read for so long, if it still comes. */
const AFTER_THE_POD_MS = 10_000;
/** How long the end of an executor's log is waited for, when it is its turn. Thousands may wait for their turn longer. */
const EXECUTOR_MS = 30_000;

/** Takes over the logs of runs: those of drivers line by line, those of executors every few seconds and at their end. */
export class RunLogs {
  readonly #options: RunLogsOptions;
  /** By the uid of the driver. */
  readonly #drivers = new Map<string, AbortController>();
  /** By the uid of the executor. One log has one reader, so that no line is there twice. */
  readonly #executors = new Map<string, Promise<LogReader>>();
  readonly #leaving: LeavingLogs;

  constructor(options: RunLogsOptions) {
    this.#options = options;
    this.#leaving = new LeavingLogs(options);
  }

  /** Begins to follow the driver's log, if that has not begun, as soon as there is one. */
  follow(run: RunProgress): void {
    const { uid } = run.place;
    if (this.#drivers.has(uid) || run.isLogRead) return;
    if (!hasLog(run.driver)) {
      if (run.isOver) this.#driverRead(run, hasEnded(run.driver) ? undefined : "there is none: it never started");
      return;
    }
    const ending = new AbortController();
    this.#drivers.set(uid, ending);
    void this.#follow(run, AbortSignal.any([ending.signal, this.#options.signal]));
  }

  /** The driver's pod is gone: what still comes of its log is taken for a few seconds. */
  driverGone({ place: { uid } }: RunProgress): void {
    const ending = this.#drivers.get(uid);
    if (ending === undefined) return;
    this.#options.clock.after(AFTER_THE_POD_MS, () => ending.abort());
  }

  /** Begins to read the log of an executor that runs. */
  async executorRuns(run: RunProgress, pod: SparkPod): Promise<void> {
    if (this.#executors.has(pod.uid) || !hasLog(pod)) return;
    const reader = await this.#executorReader(run, pod);
    this.#options.executorLogs.begin(pod.uid, { reader, isRunning: () => isRunning(run, pod.uid) });
  }

  /**
   * Begins to follow the log of an executor that runs, and whose pod is being deleted. Resolves when the log has begun to come, or
   * cannot be followed.
   */
  async executorLeaves(run: RunProgress, pod: SparkPod): Promise<void> {
    if (!hasLog(pod)) return;
    const reader = this.#executorReader(run, pod);
    await this.#leaving.begin(pod.uid, { pod: pod.name, reader, hasEnded: () => !isRunning(run, pod.uid) });
  }

  /** The pod of an executor is gone. */
  executorGone(run: RunProgress, { uid }: SparkPod): void {
    run.gone.add(uid);
    this.#leaving.gone(uid);
  }

  /** Reads the rest of an executor's log. */
  async executorEnds(run: RunProgress, pod: SparkPod): Promise<LogEnd> {
    const { executorLogs, clock, signal } = this.#options;
    if (!hasLog(pod) && !run.unseen.has(pod.uid)) return { isRead: true, gap: undefined };
    executorLogs.end(pod.uid);
    const followed = await withPatience(clock, EXECUTOR_MS, signal, (patience) => this.#leaving.end(pod.uid, patience));
    const gap = followed.isFollowed ? followed.gap : await this.#readRest(run, pod);
    this.#executors.delete(pod.uid);
    run.gone.delete(pod.uid);
    run.unseen.delete(pod.uid);
    // The next process goes on.
    if (signal.aborted) return { isRead: false };
    await run.spool.log(logName(pod)).complete();
    return { isRead: true, gap };
  }

  async #readRest(run: RunProgress, pod: SparkPod): Promise<string | undefined> {
    const reader = await this.#executorReader(run, pod);
    const { executorLogs, clock, signal: stop } = this.#options;
    const result = await executorLogs.inTurn(stop, "broken", async () =>
      // Its log went with its pod: the API server would say so, too.
      run.gone.has(pod.uid) || run.unseen.has(pod.uid)
        ? "no-log"
        : await withPatience(clock, EXECUTOR_MS, stop, (signal) => reader.read({ follow: false, signal })),
    );
    return result === "read"
      ? undefined
      : "the last seconds of it may be missing: its pod was deleted before it was read";
  }

  #executorReader(run: RunProgress, pod: SparkPod): Promise<LogReader> {
    const known = this.#executors.get(pod.uid);
    if (known !== undefined) return known;
    const reader = this.#readerOf(run, pod);
    this.#executors.set(pod.uid, reader);
    // Who waits for it is told; the next one tries again.
    reader.catch(() => this.#executors.delete(pod.uid));
    return reader;
  }

  async #readerOf(run: RunProgress, pod: SparkPod): Promise<LogReader> {
    const { client, clock, secretsKnown } = this.#options;
    const { namespace, name, uid, state } = pod;
    const container = { namespace, pod: name, uid, container: state.sparkContainer ?? "" };
    await secretsKnown(run);
    return new LogReader({
      client,
      clock,
      container,
      spool: run.spool.log(logName(pod)),
      redact: redactLines(run.secrets),
    });
  }

  async #follow(run: RunProgress, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    const { namespace, driver } = run.place;
    try {
      while (!this.#options.signal.aborted) {
        try {
          const gap = await this.#followed(run, signal);
          // At the end of this process, the next one goes on.
          if (!this.#options.signal.aborted) this.#driverRead(run, gap);
          return;
        } catch (error) {
          // The disk may be full. The log is still in the cluster, and is gone on with when there is room.
          if (!(error instanceof SpoolFullError))
            log.error("a driver's log cannot be taken over at present", { namespace, driver, error: messageOf(error) });
          await sleep(clock, retryMs(error), this.#options.signal);
        }
      }
    } finally {
      this.#drivers.delete(run.place.uid);
    }
  }

  async #followed(run: RunProgress, signal: AbortSignal): Promise<string | undefined> {
    const { clock, random } = this.#options;
    const reader = await this.#readerOf(run, run.driver);
    const stateOf = (): "running" | "ended" | "gone" => {
      if (run.isGone) return "gone";
      return hasEnded(run.driver) ? "ended" : "running";
    };
    const follow = (): Promise<string | undefined> => followLog({ reader, stateOf, clock, random, signal });
    // After a start, there may be thousands of drivers that ended days ago.
    if (hasEnded(run.driver)) return await this.#options.executorLogs.inTurn(signal, undefined, follow);
    return await follow();
  }

  #driverRead(run: RunProgress, gap: string | undefined): void {
    run.isLogRead = true;
    run.logGap = gap;
    this.#options.onChange(run.place.uid);
  }
}

function isRunning(run: RunProgress, uid: string): boolean {
  const pod = run.executors.get(uid);
  return pod !== undefined && !hasEnded(pod);
}

/** The name of the log of a pod's Spark. */
export function logName({ role, executor, name }: Pick<SparkPod, "role" | "executor" | "name">): string {
  if (role === "driver") return "driver";
  return executor !== undefined && /^\d{1,9}$/.test(executor) ? `executor-${executor}` : `executor-${name}`;
}
