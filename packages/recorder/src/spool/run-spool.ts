import { appendFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readIfThere } from "@kindling/stores";
import { parseSparkPod } from "../cluster/spark-pod-text.ts";
import type { SparkPod } from "../cluster/spark-pod.ts";
import { EventLogSpool } from "./event-log-spool.ts";
import { LogSpool } from "./log-spool.ts";
import { type PodLife, parsePodLife } from "@kindling/recorder-client";
import { foldersIn } from "./spool-files.ts";

const LOGS = "logs";
const EVENT_LOG = "event-log";
const LIVES = "lives.jsonl";
const BEGUN = "begun.jsonl";

export interface RunSpoolOptions {
  /** Its own folder on this machine's disk. */
  readonly folder: string;
  readonly partBytes: number;
}

/** What is known of a run that has not ended, or is not stored yet. It is on the disk, and outlives this process. */
export class RunSpool {
  readonly #options: RunSpoolOptions;
  readonly #onPart: () => void;
  readonly #logs = new Map<string, Promise<LogSpool>>();
  /** By uid. */
  readonly #ended = new Set<string>();
  readonly #recorded = new Set<string>();
  readonly #begun = new Set<string>();
  #isRemoved = false;
  /** Two writes of the same file would disturb each other. */
  #keeping: Promise<void> = Promise.resolve();

  /** The event logs of the driver. */
  readonly eventLog: EventLogSpool;

  private constructor(options: RunSpoolOptions, eventLog: EventLogSpool, onPart: () => void) {
    this.#options = options;
    this.eventLog = eventLog;
    this.#onPart = onPart;
  }

  /** @param onPart called when a part of a log can be stored */
  static async open(options: RunSpoolOptions, onPart: () => void): Promise<RunSpool> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const eventLog = await EventLogSpool.open(join(options.folder, EVENT_LOG));
    const spool = new RunSpool(options, eventLog, onPart);
    for (const { uid } of await spool.lives()) {
      spool.#ended.add(uid);
      spool.#recorded.add(uid);
    }
    // An earlier process may have left logs that are not stored.
    for (const name of await foldersIn(join(options.folder, LOGS))) await spool.log(name);
    return spool;
  }

  /** The log of a container, `driver` or `executor-17`. */
  log(name: string): Promise<LogSpool> {
    const known = this.#logs.get(name);
    if (known !== undefined) return known;
    const { folder, partBytes } = this.#options;
    const opening = LogSpool.open({ folder: join(folder, LOGS, name), partBytes, onPart: this.#onPart });
    this.#logs.set(name, opening);
    opening.catch(() => this.#logs.delete(name));
    return opening;
  }

  /** All logs that have begun. */
  async openLogs(): Promise<readonly (readonly [name: string, log: LogSpool])[]> {
    const opened: [string, LogSpool][] = [];
    for (const [name, log] of this.#logs) opened.push([name, await log]);
    return opened;
  }

  /** Records that a pod has ended. Later calls for the same pod do nothing. */
  async addLife(life: PodLife): Promise<void> {
    if (this.#isRemoved || this.#ended.has(life.uid)) return;
    this.#ended.add(life.uid);
    try {
      await appendFile(join(this.#options.folder, LIVES), `${JSON.stringify(life)}\n`, { mode: 0o600 });
      this.#recorded.add(life.uid);
    } catch (error) {
      this.#ended.delete(life.uid);
      throw error;
    }
  }

  /** Whether the end of a pod is recorded, or is being recorded. */
  hasLife(uid: string): boolean {
    return this.#ended.has(uid);
  }

  /** Whether the end of a pod is on the disk. */
  isRecorded(uid: string): boolean {
    return this.#recorded.has(uid);
  }

  /** The pods that have ended, in the order in which that was seen. */
  async lives(): Promise<readonly PodLife[]> {
    const text = await readIfThere(join(this.#options.folder, LIVES));
    // A write that was cut off has left a part of a line.
    return (text ?? "").split("\n").flatMap((line) => parsePodLife(line) ?? []);
  }

  /** The last lines of a log; none if it has not begun. */
  async tail(name: string, count: number): Promise<readonly string[]> {
    return (await (await this.log(name)).tail(count)).slice(-count);
  }

  /** Records that an executor has been seen: if it is gone after a restart of this process, it is not forgotten. */
  async addBegun(pod: SparkPod): Promise<void> {
    if (this.#isRemoved || this.#begun.has(pod.uid)) return;
    this.#begun.add(pod.uid);
    await appendFile(join(this.#options.folder, BEGUN), `${JSON.stringify(pod)}\n`, { mode: 0o600 });
  }

  /** The executors that were seen, and whose end is not recorded. */
  async unended(): Promise<readonly SparkPod[]> {
    const text = await readIfThere(join(this.#options.folder, BEGUN));
    const pods = (text ?? "").split("\n").flatMap((line) => parseSparkPod(line) ?? []);
    return pods.filter(({ uid }) => !this.#ended.has(uid));
  }

  /**
   * Keeps something under a name; an earlier thing of that name is replaced.
   *
   * @param value gives what to keep, as it is when the turn comes
   */
  keep(name: string, value: () => unknown): Promise<void> {
    const keeping = this.#keeping.then(async () => {
      if (this.#isRemoved) return;
      const path = join(this.#options.folder, `${name}.json`);
      await writeFile(`${path}.new`, JSON.stringify(value()), { mode: 0o600 });
      await rename(`${path}.new`, path);
    });
    this.#keeping = keeping.catch(() => undefined);
    return keeping;
  }

  /** Deletes everything. The run is in the archive, so later changes are not kept. */
  async remove(): Promise<void> {
    this.#isRemoved = true;
    await this.#keeping;
    await rm(this.#options.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
