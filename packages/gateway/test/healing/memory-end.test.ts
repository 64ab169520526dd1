import type { KubeObject } from "@kindling/kube-objects";
import { describe, expect, test } from "vitest";
import { causeOf, seenEnd } from "../../src/healing/memory-end.ts";
import { endedExecutor, SPARK } from "./ended-executor.ts";

function causeFor(options: Parameters<typeof endedExecutor>[0], lines?: readonly string[]): string | undefined {
  const end = seenEnd(endedExecutor(options), SPARK);
  return end && causeOf(end, lines);
}

const HEAP = 'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space';
const DIRECT =
  "java.lang.OutOfMemoryError: Cannot reserve 16777216 bytes of direct buffer memory (allocated: 1, limit: 2)";

test.each<[string, string | undefined, Parameters<typeof endedExecutor>[0], readonly string[] | undefined]>([
  ["killed by the kernel", "container", { reason: "OOMKilled" }, undefined],
  ["killed by the kernel, with another code", "container", { reason: "OOMKilled", exitCode: 1 }, undefined],
  ["killed, and nobody says why", "container", { exitCode: 137 }, undefined],
  ["Spark's code for a full heap", "heap", { exitCode: 52 }, undefined],
  ["the same with a log", "heap", { exitCode: 52 }, ["INFO fine", HEAP]],
  ["direct memory", "direct", { exitCode: 52 }, [HEAP, DIRECT]],
  ["no threads", undefined, { exitCode: 52 }, ["java.lang.OutOfMemoryError: unable to create native thread"]],
  [
    "an array that is too long",
    undefined,
    { exitCode: 52 },
    ["java.lang.OutOfMemoryError: Requested array size exceeds VM limit"],
  ],
  ["HotSpot ended itself", "heap", { exitCode: 3 }, ["Terminating due to java.lang.OutOfMemoryError: Java heap space"]],
  ["metaspace with a limit", undefined, { exitCode: 3 }, ["Terminating due to java.lang.OutOfMemoryError: Metaspace"]],
  ["HotSpot aborted", "heap", { exitCode: 134 }, ["Aborting due to java.lang.OutOfMemoryError: Java heap space"]],
  [
    "a JVM that got no memory",
    "container",
    { exitCode: 1 },
    ["# There is insufficient memory for the Java Runtime Environment to continue."],
  ],
  ["a program that used this code", undefined, { exitCode: 3 }, ["all is well"]],
  ["a program that used this code, without a log", undefined, { exitCode: 3 }, undefined],
  ["an exception that was caught", undefined, { exitCode: 1 }, [`WARN TaskMemoryManager: ${HEAP}`]],
  ["the end by a signal", undefined, { exitCode: 143 }, undefined],
  ["success", undefined, { exitCode: 0 }, undefined],
])("%s: %s", (_, wanted, options, lines) => {
  expect(causeFor(options, lines)).toBe(wanted);
});

describe("an executor that was taken away", () => {
  const killed = endedExecutor({ reason: "OOMKilled" });

  test.each([
    ["deleted", { ...killed, metadata: { ...killed.metadata, deletionTimestamp: "2026-11-30T04:00:00Z" } }],
    ["evicted", { ...killed, status: { phase: "Failed", reason: "Evicted" } }],
    [
      "preempted",
      { ...killed, status: { phase: "Failed", conditions: [{ type: "DisruptionTarget", status: "True" }] } },
    ],
  ])("%s", (_, pod) => {
    expect(seenEnd(pod, SPARK)).toBeUndefined();
  });

  test("asked to leave without its pod, which stays for shuffle files", () => {
    const labels = { "gateway.kindling/keeper": "leaving" };
    const leaving = (reason?: string): KubeObject => {
      const pod = endedExecutor({ ...(reason !== undefined && { reason }) });
      return { ...pod, metadata: { ...pod.metadata, labels } };
    };
    expect(seenEnd(leaving(), SPARK)).toBeUndefined();
    expect(seenEnd(leaving("OOMKilled"), SPARK)?.cause).toBe("container");
  });

  test("a sidecar that was killed says nothing about Spark", () => {
    expect(seenEnd(killed, "sidecar")).toBeUndefined();
  });
});
