import { aPod, type PodBuilder } from "@kindling/test-kit/a-pod";
import type { ContainerStatus } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { DEFAULT_POD_OPTIONS, executorPod, type ExecutorPodOptions } from "../../src/executor-pod/executor-pod.ts";

const executor = aPod("exec-7")
  .executor(7, "spark-1")
  .labels({ "spark-exec-resourceprofile-id": "2" })
  .spec({ restartPolicy: "Never" });

function read(pod: PodBuilder, options: Partial<ExecutorPodOptions> = {}): ReturnType<typeof executorPod> {
  return executorPod(pod.build(), { ...DEFAULT_POD_OPTIONS, ...options });
}

/** In a phase, with what the kubelet says of some of its containers. */
function told(phase: string, ...containerStatuses: readonly ContainerStatus[]): PodBuilder {
  return executor.status({ phase, containerStatuses: [...containerStatuses] });
}

const ended = (name: string, exitCode: number): ContainerStatus => ({
  ...{ name, ready: false, restartCount: 0, image: "", imageID: "" },
  state: { terminated: { exitCode, reason: "Why" } },
});

const EXECUTOR = "spark-kubernetes-executor";

// SPARK.md 6.4: the first row that matches.
describe("the state of an executor pod", () => {
  test.each<[string, PodBuilder, string]>([
    ["pending", told("Pending"), "pending"],
    ["running", told("Running"), "running"],
    ["failed", told("Failed"), "failed"],
    ["succeeded", told("Succeeded"), "succeeded"],
    ["unknown", told("Unknown"), "unknown"],
    ["without a phase", executor.status({}), "unknown"],
    ["deleted while it was pending", told("Pending").deleting(), "deleted"],
    ["deleted after it had failed", told("Failed").deleting(), "deleted"],
    ["deleted, and still running", told("Running").deleting(), "running"],
    ["running, its executor ended well", told("Running", ended(EXECUTOR, 0)), "succeeded"],
    ["running, its executor failed", told("Running", ended(EXECUTOR, 1)), "failed"],
    ["running, a sidecar failed", told("Running", ended("sidecar", 1)), "failed"],
    ["running, a sidecar ended well", told("Running", ended("sidecar", 0)), "running"],
  ])("%s", (_words, pod, want) => {
    expect(read(pod)?.phase).toBe(want);
  });

  test("does not depend on sidecars where only the executor's own container counts", () => {
    expect(read(told("Running", ended("sidecar", 1)), { checkAllContainers: false })?.phase).toBe("running");
  });

  test("depends on the container that a template names", () => {
    const pod = read(told("Running", ended("main", 3)), { container: "main", checkAllContainers: false });
    expect(pod).toMatchObject({ phase: "failed", termination: { exitCode: 3, reason: "Why" } });
  });
});

test("the id and the resource profile are read from the labels", () => {
  expect(read(executor.pending())).toMatchObject({ id: 7, profileId: 2 });
  expect(read(aPod("exec-7").executor(7, "spark-1").pending())).toMatchObject({ id: 7, profileId: 0 });
});

test.each([undefined, "", "EXECID", "-1", "1.5", "99999999999"])("a pod with the id %s is none", (id) => {
  expect(
    read(
      aPod("pod")
        .labels(id === undefined ? {} : { "spark-exec-id": id })
        .pending(),
    ),
  ).toBeUndefined();
});

test("the claims that it mounts are known", () => {
  const volumes = [
    { name: "a", persistentVolumeClaim: { claimName: "one" } },
    { name: "b", emptyDir: {} },
  ];
  expect(read(executor.spec({ volumes }).pending())?.claims).toEqual(["one"]);
});
