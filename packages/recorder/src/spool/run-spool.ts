import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readIfThere } from "@kindling/stores";
import { parseSparkPod } from "../cluster/spark-pod-text.ts";
import type { SparkPod } from "../cluster/spark-pod.ts";
import { AppendedFile } from "./appended-file.ts";
import { EventLogSpool } from "./event-log-spool.ts";
import { LogSpool, type LogSpoolOptions } from "./log-spool.ts";
import { LongLog } from "./long-log.ts";
import { parseShortLogLine, ShortLog } from "./short-log.ts";
import { type PodLife, parsePodLife } from "@kindling/recorder-client";
import { foldersIn } from "./spool-files.ts";
import type { SpoolRoom } from "./spool-room.ts";

/** Logs that have a folder of their own. */
const LOGS = "logs";
/** The others. */
const SHORT_LOGS = "logs.jsonl";
const EVENT_LOG = "event-log";
const LIVES = "lives.jsonl";
const BEGUN = "begun.jsonl";

export interface RunSpoolOptions {
  /** Its own folder on this machine's disk. */
  readonly folder: string;
  readonly partBytes: number;
  readonly room: SpoolRoom;
}

/** The files that grow with each pod of a run. */
interface RunFiles {
  readonly short: AppendedFile;
  readonly lives: AppendedFile;
  readonly begun: AppendedFile;
}

/** What is known of a run that has not ended, or is not stored yet. It is on the disk, and outlives this process. */
export class RunSpool {
  readonly #options: RunSpoolOptions;
  readonly #files: RunFiles;
  readonly #onPart: () => void;
  readonly #logs = new Map<string, LogSpool>();
  /** By uid. */
  readonly #ended = new Set<string>();
  readonly #recorded = new Set<string>();
  /** By uid, and whether they had started. */
  readonly #begun = new Map<string, boolean>();
  #isRemoved = false;
  /** Two writes of the same file would disturb each other. */
  #keeping: Promise<void> = Promise.resolve();

  /** The event logs of the driver. */
  readonly eventLog: EventLogSpool;

  private constructor(options: RunSpoolOptions, files: RunFiles, eventLog: EventLogSpool, onPart: () => void) {
    this.#options = options;
    this.#files = files;
    this.eventLog = eventLog;
    this.#onPart = onPart;
  }

  /** @param onPart called when a part of a log can be stored */
  static async open(options: RunSpoolOptions, onPart: () => void): Promise<RunSpool> {
    const { folder, room } = options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const eventLog = await EventLogSpool.open({ folder: join(folder, EVENT_LOG), room, onFinished: onPart });
    const shortLogs = new Map<string, ShortLog>();
    const short = await AppendedFile.open(join(folder, SHORT_LOGS), (line, place, file) => {
      const taken = parseShortLogLine(line);
      if (taken === undefined) return;
      const log = shortLogs.get(taken.log) ?? new ShortLog({ name: taken.log, file, onPart });
      shortLogs.set(taken.log, log);
      log.take(taken, place);
    });
    const ended: string[] = [];
    const lives = await AppendedFile.open(join(folder, LIVES), (line) => {
      const life = parsePodLife(line);
      if (life !== undefined) ended.push(life.uid);
    });
    const begun = await AppendedFile.open(join(folder, BEGUN), () => undefined);
    const spool = new RunSpool(options, { short, lives, begun }, eventLog, onPart);
    for (const uid of ended) {
      spool.#ended.add(uid);
      spool.#recorded.add(uid);
    }
    await spool.#takeUp(shortLogs);
    return spool;
  }

  /** An earlier process may have left logs that are not stored. */
  async #takeUp(shortLogs: Map<string, ShortLog>): Promise<void> {
    for (const name of await foldersIn(join(this.#options.folder, LOGS))) {
      const options = this.#optionsOf(name);
      const long = await LongLog.open(options);
      // That process was killed before the folder had all that the file has.
      if (long.bytes === 0 && shortLogs.has(name)) continue;
      shortLogs.delete(name);
      this.#logs.set(name, new LogSpool(options, long));
    }
    for (const [name, short] of shortLogs) this.#logs.set(name, new LogSpool(this.#optionsOf(name), short));
  }

  #optionsOf(name: string): LogSpoolOptions {
    const { folder, partBytes, room } = this.#options;
    const { short } = this.#files;
    return { name, folder: join(folder, LOGS, name), partBytes, onPart: this.#onPart, room, short };
  }

  /** The log of a container, `driver` or `executor-17`. */
  log(name: string): LogSpool {
    const known = this.#logs.get(name);
    if (known !== undefined) return known;
    const log = new LogSpool(this.#optionsOf(name));
    this.#logs.set(name, log);
    return log;
  }

  /** All logs that have begun, by name. */
  get logs(): ReadonlyMap<string, LogSpool> {
    return this.#logs;
  }

  /** Writes the lines that wait, and closes files that are not in use. */
  async flush(): Promise<void> {
    for (const log of this.#logs.values()) if (log.hasPending) await log.flush();
    for (const file of Object.values(this.#files)) await file.rest();
  }

  /** Closes files. They are opened again when they are needed. */
  async close(): Promise<void> {
    for (const file of Object.values(this.#files)) await file.close();
  }

  /** Records that a pod has ended. Later calls for the same pod do nothing. */
  async addLife(life: PodLife): Promise<void> {
    if (this.#isRemoved || this.#ended.has(life.uid)) return;
    this.#ended.add(life.uid);
    try {
      await this.#files.lives.append(JSON.stringify(life));
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
    return (await this.#logs.get(name)?.tail(count))?.slice(-count) ?? [];
  }

  /**
   * Records that an executor has been seen, and once more when it has started: if it is gone after a restart of this process, it is
   * not forgotten.
   *
   * @param kept gives its pod, as it may be written
   */
  async addBegun(uid: string, hasStarted: boolean, kept: () => object): Promise<void> {
    const known = this.#begun.get(uid);
    if (this.#isRemoved || known === true || known === hasStarted) return;
    this.#begun.set(uid, hasStarted);
    await this.#files.begun.append(JSON.stringify(kept()));
  }

  /** The executors that were seen, and whose end is not recorded. */
  async unended(): Promise<readonly SparkPod[]> {
    const text = await readIfThere(join(this.#options.folder, BEGUN));
    const pods = new Map<string, SparkPod>();
    for (const line of (text ?? "").split("\n")) {
      const pod = parseSparkPod(line);
      if (pod !== undefined && !this.#ended.has(pod.uid)) pods.set(pod.uid, pod);
    }
    return [...pods.values()];
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
    await this.close();
    await rm(this.#options.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
