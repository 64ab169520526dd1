import { describe, expect, test } from "vitest";
import { diagnose } from "../src/index.ts";
import { container, ended, evidence, NOW, pod } from "./fixtures/pods.ts";

const LOST = [
  "26/11/30 04:00:00 ERROR TaskSchedulerImpl: Lost executor 2 on 10.0.0.9: The executor with id 2 was deleted by a user or the framework.",
];

function diagnosed(record: string, phase: "Running" | "Failed", log: readonly string[]) {
  const state = phase === "Running" ? { running: { startedAt: "2026-01-01T00:06:00Z" } } : ended(1);
  const status = { phase, containerStatuses: [container(state)] };
  const metadata = { annotations: { "gateway.kindling/memory": record } };
  return diagnose(evidence(pod({ node: "node-1", status, metadata }), { log }), NOW);
}

const GROWN = JSON.stringify({ words: "executor 1 used more …; executors from now on have 2112 MiB" });
const EXHAUSTED = JSON.stringify({ words: "executor 4 used more …, and it gets no more", isExhausted: true });

test("executors that a gateway replaces by larger ones are no problem", () => {
  expect(diagnosed(GROWN, "Running", LOST)).toMatchObject({ state: "Running", findings: [] });
  expect(diagnosed("{}", "Running", LOST).findings).toHaveLength(1);
  expect(diagnosed("no JSON", "Running", LOST).findings).toHaveLength(1);
});

describe("executors that need more than they may have", () => {
  test("are a problem while the application runs", () => {
    const { state, findings } = diagnosed(EXHAUSTED, "Running", LOST);
    expect(state).toBe("MemoryExhausted (executors)");
    expect(findings.map(({ cause, summary }) => [cause, summary])).toEqual([
      ["MemoryExhausted", "executor 4 used more …, and it gets no more"],
    ]);
  });

  test("are the reason if their loss ended the application", () => {
    const log = [
      "26/11/30 04:00:00 ERROR TaskSchedulerImpl: Lost executor 4 on 10.0.0.9: ",
      "The executor with id 4 exited with exit code 137(SIGKILL, possible container OOM).",
      'Exception in thread "main" org.apache.spark.SparkException: Job aborted due to stage failure: Task 1 in stage 0.0 failed 4 times, most recent failure: Lost task 1.3 in stage 0.0 (TID 7) (10.0.0.9 executor 4): ExecutorLostFailure (executor 4 exited caused by one of the running tasks) Reason: ',
      "The executor with id 4 exited with exit code 137(SIGKILL, possible container OOM).",
      "\tat org.apache.spark.scheduler.DAGScheduler.failJob(DAGScheduler.scala:1)",
    ];
    const { state, findings } = diagnosed(EXHAUSTED, "Failed", log);
    expect(state).toBe("MemoryExhausted");
    expect(findings.map(({ cause, severity }) => [cause, severity])).toEqual([["MemoryExhausted", "failure"]]);
  });

  test("are not the reason if it failed for another one", () => {
    const log = ['Exception in thread "main" java.lang.IllegalStateException: no', "\tat a.B.c(B.java:1)"];
    expect(diagnosed(EXHAUSTED, "Failed", log).findings[0]?.cause).toBe("ApplicationFailed");
  });
});
