import type { PodLife, Run, RunRecord, Stage } from "@kindling/recorder-client";
import type { KeptRun } from "../../../src/console/history/visible-history.ts";

export const ENDED = Date.parse("2026-03-01T09:30:00Z");
const GIB = 1024 ** 3;
const MINUTE = 60_000;

/** A run that has succeeded, with these changes. */
export function aRun(name: string, changes: Partial<Run> = {}): Run {
  return {
    ...{
      namespace: "spark-jobs",
      day: "2026-03-01",
      driver: `${name}-driver`,
      uid: `uid-${name}`,
      id: `spark-${name}`,
    },
    ...{
      application: `spark-${name}`,
      name,
      attempt: 1,
      state: "succeeded",
      sparkVersion: "4.1.1",
      queue: "etl.daily",
    },
    ...{ started: ENDED - 42 * MINUTE, ended: ENDED, labels: { team: "blue" }, executors: 12, bytes: 4_000_000 },
    usage: [{ nodeType: "m5.xlarge", spot: true, coreSeconds: 60_000, gibSeconds: 240_000 }],
    ...changes,
  };
}

export function anExecutor(id: number, changes: Partial<PodLife> = {}): PodLife {
  return {
    ...{ role: "executor", executor: String(id), pod: `daily-exec-${id}`, uid: `uid-exec-${id}`, cores: 2 },
    ...{ memory: 8 * GIB, started: ENDED - (40 - id) * MINUTE, ended: ENDED - MINUTE, reason: "Deleted" },
    ...{ node: `node-${id % 4}.example.internal`, nodeType: "m5.xlarge", spot: id % 2 === 0, labels: {} },
    ...changes,
  };
}

const EXECUTORS = [
  ...Array.from({ length: 10 }, (_, index) => anExecutor(index + 1)),
  anExecutor(11, { ended: ENDED - 20 * MINUTE, reason: "OOMKilled", exitCode: 137 }),
  anExecutor(12, { ended: ENDED - 12 * MINUTE, reason: "Evicted", logGap: "the last seconds may be missing" }),
];

function aStage(id: number, changes: Partial<Stage> = {}): Stage {
  return {
    ...{ id, attempt: 0, name: `count at Daily.scala:${id}`, state: "succeeded", tasks: 200 },
    ...{ started: ENDED - 30 * MINUTE, ended: ENDED - (30 - id) * MINUTE, executorTime: id * 600_000, gcTime: 60_000 },
    ...{ inputBytes: 12 * GIB, outputBytes: 0, shuffleReadBytes: GIB, shuffleWriteBytes: 2 * GIB, spilledBytes: 0 },
    ...changes,
  };
}

const FAILED = aRun("daily", {
  ...{ state: "failed", attempt: 2, cause: "OutOfMemory", why: "2 executors ran out of memory" },
  eventLog: "eventlog_v2_spark-daily",
});

const RECORD: RunRecord = {
  run: FAILED,
  findings: [
    {
      ...{ cause: "ApplicationFailed", word: "failed", severity: "failure", role: "driver", pods: ["daily-driver"] },
      ...{ container: "spark-kubernetes-driver", times: 1, since: undefined },
      summary: "org.apache.spark.SparkException: Job aborted due to stage failure",
      details: ["Task 17 in stage 4.0 failed 4 times, most recent failure: ExecutorLostFailure (executor 11 exited)"],
      advice: undefined,
    },
    {
      ...{ cause: "OOMKilled", word: "OOMKilled", severity: "obstacle", role: "executor" },
      ...{ pods: ["daily-exec-11"], container: undefined, details: [], times: 1, since: undefined },
      summary: "killed for using more memory than its limit of 8Gi",
      advice: "raise spark.executor.memoryOverhead",
    },
  ],
  termination: { exitCode: 1, startedAt: undefined, finishedAt: undefined, reason: "Error", message: undefined },
  events: [
    {
      ...{ pod: "daily-driver", uid: "uid-daily", reason: "FailedScheduling", type: "Warning", source: "scheduler" },
      ...{ count: 3, first: "2026-03-01T08:48:00Z", last: "2026-03-01T08:49:00Z" },
      message: "0/12 nodes are available: 12 Insufficient cpu.",
    },
  ],
  configuration: { "spark.executor.memory": "7g", "spark.app.name": "daily", "spark.sql.shuffle.partitions": "200" },
  ...{ serviceAccount: "spark", image: "registry.example.internal/spark/daily:2026-03-01", node: "node-1" },
  logs: [
    { name: "driver", bytes: 40_000 },
    { name: "executor-11", bytes: 9_000 },
  ],
  executorEnds: { Deleted: 10, OOMKilled: 1, Evicted: 1 },
};

export const RUNS: readonly Run[] = [
  FAILED,
  aRun("daily", {
    uid: "uid-before",
    driver: "daily-driver-1",
    ended: ENDED - 86_400_000,
    started: ENDED - 88_000_000,
  }),
  aRun("report", { queue: "adhoc", executors: 2, started: ENDED - 4 * 3_600_000, ended: ENDED - 3 * 3_600_000 }),
  aRun("vanished", { state: "lost", why: "its driver's pod was gone before its end was seen", usage: [] }),
];

/** A run with everything, with these changes. */
export function aKeptRun(changes: Partial<KeptRun> = {}): KeptRun {
  return {
    record: RECORD,
    lives: EXECUTORS,
    stages: [aStage(3), aStage(7), aStage(4, { state: "failed", failure: "ExecutorLostFailure", spilledBytes: GIB })],
    log: Array.from({ length: 200 }, (_, line) =>
      line % 40 === 39
        ? "\tat org.apache.spark.scheduler.DAGScheduler.abortStage(DAGScheduler.scala:2898)"
        : `26/03/01 09:2${line % 10}:00 INFO TaskSetManager: Finished task ${line}.0 in stage 4.0 (TID ${line}) on 10.0.3.17`,
    ),
    runs: RUNS.filter(({ name }) => name === "daily"),
    ...changes,
  };
}
