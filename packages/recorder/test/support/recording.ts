import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { backgroundClock, systemRandom } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod, type PodBuilder } from "@kindling/test-kit/a-pod";
import { eventually } from "@kindling/test-kit/eventually";
import { kubeconfigFor } from "@kindling/test-kit/kubeconfig-file";
import { onTestFinished } from "vitest";
import type { Archive } from "../../src/archive/archive.ts";
import { recordPath } from "../../src/archive/archive-paths.ts";
import { logParts, logTail } from "../../src/logs/read-log.ts";
import type { Run } from "@kindling/recorder-client";
import { type RunningRecorder, startRecorder } from "../../src/start-recorder.ts";
import { folderArchive, testFolder } from "./archives.ts";

export const NAMESPACE = "spark-jobs";

/** A cluster, an archive, and a recorder that can be started again. */
export interface Recording {
  readonly cluster: TestCluster;
  readonly archive: Archive;
  /** Where the recorder keeps what is not stored. */
  readonly spoolFolder: string;
  /** Lets so much time go by on the clock that only goes forward. */
  skip(milliseconds: number): void;
  /** What the recorder has logged as warnings and errors. */
  readonly complaints: string[];
  /**
   * @param tailMs the pause between two readings of an executor's log
   * @param spoolBytes how much may be on the recorder's disk
   */
  start(tailMs?: number, spoolBytes?: number): Promise<RunningRecorder>;
  /** Waits until so many runs are in the archive, and returns them, the newest first. */
  runs(recorder: RunningRecorder, count: number): Promise<readonly Run[]>;
  /** Waits until a text of a log is on the recorder's disk. */
  untilRead(text: string): Promise<void>;
  /** What is kept of a run besides its logs. */
  record(run: Run | undefined): Promise<unknown>;
  /** The lines of a log in the archive. */
  log(run: Run, name?: string): Promise<readonly string[]>;
}

export async function recording(archive?: Archive): Promise<Recording> {
  const cluster = await TestCluster.start();
  const stored = archive ?? (await folderArchive());
  const spoolFolder = await testFolder();
  const complaints: string[] = [];
  let skipped = 0;
  const clock = { ...backgroundClock, monotonic: () => backgroundClock.monotonic() + skipped };
  const note = (text: string, fields?: object): void => void complaints.push(`${text} ${JSON.stringify(fields ?? {})}`);
  const log: Log = { debug: () => undefined, info: () => undefined, warn: note, error: note };
  return {
    cluster,
    archive: stored,
    spoolFolder,
    complaints,
    skip: (milliseconds) => void (skipped += milliseconds),
    async start(tailMs = 200, spoolBytes?: number) {
      const client = createKubeClient(await loadClusterAccess({ env: {}, kubeconfigPath: kubeconfigFor(cluster) }));
      const recorder = await startRecorder({
        ...{ client, log, archive: stored, clock, random: systemRandom() },
        ...{ namespaces: [], lease: undefined, identity: "recorder" },
        settings: {
          spoolFolder,
          spoolBytes,
          partBytes: 1024 * 1024,
          mostParts: 8,
          tailMs,
          tailsPerSecond: 100,
          readAtOnce: 8,
          teamLabel: "team",
          mostTeams: 8,
          handOver: false,
        },
      });
      onTestFinished(async () => {
        await recorder.stop();
        client.close();
      });
      await eventually(() => {
        if (!recorder.isReady) throw new Error("the cluster is not listed yet");
      });
      return recorder;
    },
    runs: (recorder, count) =>
      eventually((): readonly Run[] => {
        const { runs } = recorder.history.find({ mayShow: () => true }, 100);
        if (runs.length < count) throw new Error(`${runs.length} runs are stored: ${complaints.join("; ")}`);
        return runs;
      }),
    untilRead: (text) =>
      eventually(async () => {
        const names = await readdir(spoolFolder, { recursive: true });
        const logs = names
          .filter((name) => /\.log$|logs\.jsonl$/.test(name))
          .map((name) => readFile(join(spoolFolder, name), "utf8"));
        if (!(await Promise.all(logs)).some((log) => log.includes(text))) throw new Error(`${text} was not read yet`);
      }),
    record: async (run) => run && JSON.parse(String(await stored.read(recordPath(run)))),
    log: async (run, name = "driver") => await logTail(stored, await logParts(stored, run, name), 1_000),
  };
}

const NEVER = { restartPolicy: "Never" };

/** The driver of an application, as Spark's submission makes it. */
export function driverPod(name: string, id = `spark-${name}`): PodBuilder {
  const labels = { "spark-app-name": name, "spark-version": "4.3.0", team: "blue" };
  return aPod(name).in(NAMESPACE).driver(id).labels(labels).spec(NEVER);
}

/** An executor of an application. */
export function executorPod(number: number, name: string, id = `spark-${name}`): PodBuilder {
  return aPod(`${name}-exec-${number}`)
    .in(NAMESPACE)
    .executor(number, id)
    .requests({ cpu: "2", memory: "4Gi" })
    .spec(NEVER);
}
