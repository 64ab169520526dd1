import { expect, test } from "vitest";
import type { SparkApplication, SparkApplicationStatus } from "@kindling/spark-application";
import { afterSubmission, type SubmissionOutcome } from "../../src/application-states/after-submission.ts";
import { decide } from "../../src/application-states/decide.ts";
import type { PodRecord } from "../../src/pods/pod-record.ts";
import { nextSubmissionId } from "../../src/application-states/submission-id.ts";
import { application, NOW, pod, secondsAgo, view } from "../application-states/views.ts";
import { objectRecord } from "../../src/caches/object-record.ts";
import { metricsOf, series } from "./scrape.ts";

/** An application whose metrics get every status. */
class Life {
  readonly metrics = metricsOf({}, { applications: () => [objectRecord({ ...this.current })] });
  nowMs = NOW;
  current: SparkApplication = application();

  write(status: SparkApplicationStatus): void {
    this.metrics.written(this.current, status, this.nowMs);
    this.current = { ...this.current, status };
  }

  submit(outcome: SubmissionOutcome): void {
    const submissionId = nextSubmissionId(this.current);
    const attempt = { submissionId, driverPodName: "pi-driver", startedAtMs: this.nowMs, endedAtMs: this.nowMs };
    this.write(afterSubmission(this.current.status, attempt, outcome));
  }

  see(driver: Partial<PodRecord>): void {
    const seen = pod({ submissionId: this.current.status.submissionID ?? "", ...driver });
    this.write(decide(view(this.current, { drivers: [seen], nowMs: this.nowMs })).status);
  }
}

test("an application that is submitted, runs and completes counts once in each of these", async () => {
  const life = new Life();
  life.submit({ kind: "submitted" });
  life.nowMs += 20_000;
  life.see({ phase: "Running" });
  expect(await series(life.metrics, "spark_application_running")).toEqual({ spark_application_running_count: 1 });
  life.nowMs += 100_000;
  life.see({ phase: "Succeeded" });
  expect(life.current.status.applicationState.state).toBe("COMPLETED");
  expect(await series(life.metrics)).toEqual({
    spark_application_count: 1,
    spark_application_submit_count: 1,
    spark_application_success_count: 1,
    spark_application_success_execution_time_seconds_sum: 120,
    spark_application_success_execution_time_seconds_count: 1,
    spark_application_submit_latency_seconds_sum: 60,
    spark_application_submit_latency_seconds_count: 1,
    'spark_application_submit_latency_seconds_histogram_bucket{le="60"}': 1,
    'spark_application_submit_latency_seconds_histogram_bucket{le="90"}': 1,
    'spark_application_submit_latency_seconds_histogram_bucket{le="+Inf"}': 1,
    spark_application_submit_latency_seconds_histogram_sum: 60,
    spark_application_submit_latency_seconds_histogram_count: 1,
    spark_application_start_latency_seconds_sum: 80,
    spark_application_start_latency_seconds_count: 1,
    'spark_application_start_latency_seconds_histogram_bucket{le="+Inf"}': 1,
    spark_application_start_latency_seconds_histogram_sum: 80,
    spark_application_start_latency_seconds_histogram_count: 1,
  });
});

test("a submission that fails for good is a failed submission and a failure", async () => {
  const life = new Life();
  life.submit({ kind: "failed", message: "refused" });
  life.write(decide(view(life.current)).status);
  expect(life.current.status.applicationState.state).toBe("FAILED");
  expect(await series(life.metrics)).toEqual({
    spark_application_count: 1,
    spark_application_failed_submission_count: 1,
    spark_application_failure_count: 1,
    spark_application_failure_execution_time_seconds_count: 1,
  });
});

test("latencies are those of the first attempt", async () => {
  const life = new Life();
  life.current = application({ ...ran("PENDING_RERUN"), submissionAttempts: 1, executionAttempts: 1 });
  life.submit({ kind: "submitted" });
  life.see({ phase: "Running" });
  expect(await series(life.metrics)).toEqual({ spark_application_submit_count: 1, spark_application_running_count: 1 });
});

test("a status in the same state counts nothing, nor does a time that cannot be read", async () => {
  const metrics = metricsOf();
  metrics.written(application(ran("RUNNING")), { ...application(ran("RUNNING")).status, executorState: {} }, NOW);
  metrics.written(application(ran("RUNNING")), application({ applicationState: { state: "COMPLETED" } }).status, NOW);
  const timeless = application();
  const status = { ...application(ran("SUBMITTED")).status, submissionAttempts: 1 };
  metrics.written({ ...timeless, metadata: { ...timeless.metadata, creationTimestamp: "" } }, status, NOW);
  expect(await series(metrics)).toEqual({
    spark_application_success_count: 1,
    spark_application_count: 1,
    spark_application_submit_count: 1,
  });
});

test("labels are the application's, whatever dashes they have; what is absent is unknown", async () => {
  const metrics = metricsOf({ labels: ["app-type", "namespace", "team", "app.kubernetes.io/name"] });
  const labelled = (labels: Record<string, string>): SparkApplication => {
    const made = application();
    return { ...made, metadata: { ...made.metadata, labels } };
  };
  const submitted = application(ran("SUBMITTED")).status;
  metrics.written(labelled({ app_type: "batch", "app.kubernetes.io/name": "pi" }), submitted, NOW);
  metrics.written(labelled({ "app-type": "batch", namespace: "own", team: "" }), submitted, NOW);
  expect(await series(metrics, "spark_application_count")).toEqual({
    'spark_application_count{app_type="batch",namespace="spark-jobs",team="Unknown",app_kubernetes_io_name="pi"}': 1,
    'spark_application_count{app_type="batch",namespace="own",team="",app_kubernetes_io_name="Unknown"}': 1,
  });
});

test("running applications are those in the store now, and a series of none stays", async () => {
  const stored = new Map<string, SparkApplication>();
  let isLeading = true;
  const metrics = metricsOf(
    { labels: ["namespace"] },
    { applications: () => [...stored.values()].map((each) => objectRecord({ ...each })), isLeading: () => isLeading },
  );
  const running = async (): Promise<string[]> =>
    (await metrics.registry.getSingleMetricAsString("spark_application_running_count")).split("\n").slice(2);
  const one = application(ran("RUNNING"));
  stored
    .set("one", one)
    .set("two", one)
    .set("three", application(ran("SUBMITTED")))
    .set("new", application());
  expect(await running()).toEqual(['spark_application_running_count{namespace="spark-jobs"} 2']);
  isLeading = false;
  expect(await running()).toEqual(['spark_application_running_count{namespace="spark-jobs"} 0']);
  isLeading = true;
  stored.delete("two");
  expect(await running()).toEqual(['spark_application_running_count{namespace="spark-jobs"} 1']);
});

function ran(state: SparkApplicationStatus["applicationState"]["state"]): Partial<SparkApplicationStatus> {
  return {
    applicationState: { state },
    lastSubmissionAttemptTime: secondsAgo(30),
    driverInfo: { podName: "pi-driver" },
  };
}
