import type { ContainerStatus, Pod, PodStatus } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { DEFAULT_POD_OPTIONS, executorPod, type ExecutorPodOptions } from "../../src/pods/executor-pod.ts";

const LABELS = { "spark-exec-id": "7", "spark-exec-resourceprofile-id": "2" };

function read(
  status: PodStatus,
  metadata: Pod["metadata"] = {},
  options: Partial<ExecutorPodOptions> = {},
): ReturnType<typeof executorPod> {
  const pod: Pod = {
    metadata: { labels: LABELS, ...metadata },
    spec: { containers: [], restartPolicy: "Never" },
    status,
  };
  return executorPod(pod, { ...DEFAULT_POD_OPTIONS, ...options });
}

const ended = (name: string, exitCode: number): ContainerStatus => ({
  ...{ name, ready: false, restartCount: 0, image: "", imageID: "" },
  state: { terminated: { exitCode, reason: "Why" } },
});

const DELETED = { labels: LABELS, deletionTimestamp: "2026-01-01T00:00:00Z" };
const EXECUTOR = "spark-kubernetes-executor";

// SPARK.md 6.4: the first row that matches.
describe("the state of an executor pod", () => {
  test.each<[string, PodStatus, Pod["metadata"], string]>([
    ["pending", { phase: "Pending" }, {}, "pending"],
    ["running", { phase: "Running" }, {}, "running"],
    ["failed", { phase: "Failed" }, {}, "failed"],
    ["succeeded", { phase: "Succeeded" }, {}, "succeeded"],
    ["unknown", { phase: "Unknown" }, {}, "unknown"],
    ["without a phase", {}, {}, "unknown"],
    ["deleted while it was pending", { phase: "Pending" }, DELETED, "deleted"],
    ["deleted after it had failed", { phase: "Failed" }, DELETED, "deleted"],
    ["deleted, and still running", { phase: "Running" }, DELETED, "running"],
    [
      "running, its executor ended well",
      { phase: "Running", containerStatuses: [ended(EXECUTOR, 0)] },
      {},
      "succeeded",
    ],
    ["running, its executor failed", { phase: "Running", containerStatuses: [ended(EXECUTOR, 1)] }, {}, "failed"],
    ["running, a sidecar failed", { phase: "Running", containerStatuses: [ended("sidecar", 1)] }, {}, "failed"],
    ["running, a sidecar ended well", { phase: "Running", containerStatuses: [ended("sidecar", 0)] }, {}, "running"],
  ])("%s", (_words, status, metadata, want) => {
    expect(read(status, metadata)?.phase).toBe(want);
  });

  test("does not depend on sidecars where only the executor's own container counts", () => {
    const status = { phase: "Running", containerStatuses: [ended("sidecar", 1)] };
    expect(read(status, {}, { checkAllContainers: false })?.phase).toBe("running");
  });

  test("depends on the container that a template names", () => {
    const status = { phase: "Running", containerStatuses: [ended("main", 3)] };
    const pod = read(status, {}, { container: "main", checkAllContainers: false });
    expect(pod).toMatchObject({ phase: "failed", termination: { exitCode: 3, reason: "Why" } });
  });
});

test("the id and the resource profile are read from the labels", () => {
  expect(read({ phase: "Pending" })).toMatchObject({ id: 7, profileId: 2 });
  expect(read({ phase: "Pending" }, { labels: { "spark-exec-id": "7" } })).toMatchObject({ id: 7, profileId: 0 });
});

test.each([undefined, "", "EXECID", "-1", "1.5", "99999999999"])("a pod with the id %s is none", (id) => {
  expect(read({ phase: "Pending" }, { labels: id === undefined ? {} : { "spark-exec-id": id } })).toBeUndefined();
});

test("the claims that it mounts are known", () => {
  const volumes = [
    { name: "a", persistentVolumeClaim: { claimName: "one" } },
    { name: "b", emptyDir: {} },
  ];
  const pod: Pod = { metadata: { labels: LABELS }, spec: { containers: [], volumes }, status: { phase: "Pending" } };
  expect(executorPod(pod, DEFAULT_POD_OPTIONS)?.claims).toEqual(["one"]);
});
