import { expect, test } from "vitest";
import type { PodRecord } from "../../src/pods/pod-record.ts";
import { executor, pod } from "../application-states/views.ts";
import { metricsOf, series } from "./scrape.ts";

test("executors count once when they end; those that are running are counted at each scrape", async () => {
  const pods: PodRecord[] = [executor(1), executor(2), executor(3, { phase: "Pending" }), pod()];
  const metrics = metricsOf({}, { pods: () => pods });
  for (const each of pods) metrics.executorChanged(undefined, each);
  metrics.executorChanged(executor(1), executor(1, { phase: "Succeeded" }));
  metrics.executorChanged(executor(1, { phase: "Succeeded" }), executor(1, { phase: "Succeeded", isDeleting: true }));
  metrics.executorChanged(executor(1, { phase: "Succeeded" }), undefined);
  metrics.executorChanged(executor(2), executor(2, { phase: "Failed" }));
  metrics.executorChanged(executor(3), executor(3, { phase: "Failed", uid: "another-pod-of-the-name" }));
  metrics.executorChanged(pod(), pod({ phase: "Failed" }));
  expect(await series(metrics)).toEqual({
    spark_executor_running_count: 2,
    spark_executor_success_count: 1,
    spark_executor_failure_count: 1,
  });
});

test("labels are the pod's", async () => {
  const metrics = metricsOf({ labels: ["app-type", "namespace"] });
  const { labels } = metrics;
  const picked = labels.pick({ "app-type": "batch", "spark-role": "executor" });
  expect(picked).toEqual({ "app-type": "batch" });
  const running: PodRecord = { ...executor(1), labels: picked };
  metrics.executorChanged(running, { ...running, phase: "Failed" });
  metrics.executorChanged(executor(2), executor(2, { phase: "Failed" }));
  expect(await series(metrics)).toEqual({
    'spark_executor_failure_count{app_type="batch",namespace="spark-jobs"}': 1,
    'spark_executor_failure_count{app_type="Unknown",namespace="spark-jobs"}': 1,
  });
});

test("a replica that does not lead counts no executors", async () => {
  const metrics = metricsOf({}, { isLeading: () => false, pods: () => [executor(1)] });
  metrics.executorChanged(executor(1), executor(1, { phase: "Failed" }));
  expect(await series(metrics)).toEqual({});
});
