import type { SparkApplication, SparkApplicationSpec, SparkApplicationStatus } from "@kindling/spark-application";
import { aSparkApplication } from "@kindling/spark-application/testing";
import type { PodRecord } from "../../src/pods/pod-record.ts";
import type { View } from "../../src/application-states/decide.ts";
import { timeText } from "../../src/application-states/status-changes.ts";
import { submittedSpec } from "../../src/application-states/submission-id.ts";

export const NOW = Date.parse("2026-03-01T12:00:00Z");

export function secondsAgo(seconds: number): string {
  return timeText(NOW - seconds * 1000);
}

export const SPEC: SparkApplicationSpec = {
  type: "Scala",
  sparkVersion: "4.0.4",
  mainApplicationFile: "local:///app.jar",
  mainClass: "App",
  driver: {},
  executor: { instances: 2 },
};

export function application(
  status: Partial<SparkApplicationStatus> = {},
  spec: Partial<SparkApplicationSpec> = {},
  generation = 1,
): SparkApplication {
  const built = aSparkApplication().in("spark-jobs").uid("uid-of-pi").spec(SPEC).spec(spec).status(status);
  return built.metadata({ generation, resourceVersion: "10", creationTimestamp: secondsAgo(60) }).build();
}

export function pod(over: Partial<PodRecord> = {}): PodRecord {
  return {
    ...{ namespace: "spark-jobs", name: "pi-driver", uid: "uid-of-pod", resourceVersion: "20" },
    ...{ role: "driver", applicationName: "pi", submissionId: "", sparkApplicationId: "spark-1" },
    ...{ executorId: undefined, ownerUids: ["uid-of-pi"], isDeleting: false },
    ...{ phase: "Running", terminated: undefined, reason: "", message: "", labels: {} },
    ...over,
  };
}

export function executor(id: number, over: Partial<PodRecord> = {}): PodRecord {
  return pod({ name: `pi-exec-${id}`, role: "executor", executorId: id, ownerUids: ["uid-of-pod"], ...over });
}

export function view(of: SparkApplication, over: Partial<View> = {}): View {
  return {
    stored: of,
    application: of,
    submitted: submittedSpec(of.status.submissionID ?? ""),
    drivers: [],
    executors: { pods: [], promised: [], mostTracked: 1000 },
    driverInfo: {},
    nowMs: NOW,
    rules: { driverPodCreationGracePeriodMs: 10_000, defaultTimeToLiveSeconds: 0, partialRestart: false },
    ...over,
  };
}
