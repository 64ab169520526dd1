import type { KubeObject } from "@kindling/kube-objects";
import { aPod } from "@kindling/test-kit/a-pod";
import { expect, test } from "vitest";
import { lossCause } from "../../../src/admission/demand/loss-cause.ts";

function ended(status: object, deletionTimestamp?: string): KubeObject {
  const pod = aPod("app-exec-1").in("spark").build();
  return { ...pod, metadata: { ...pod.metadata, deletionTimestamp }, status } as unknown as KubeObject;
}

function disrupted(reason: string, message = ""): KubeObject {
  return ended(
    { phase: "Running", conditions: [{ type: "DisruptionTarget", status: "True", reason, message }] },
    "now",
  );
}

function failed(terminated: object, more: object = {}): KubeObject {
  return ended({ phase: "Failed", containerStatuses: [{ name: "executor", state: { terminated } }], ...more });
}

const STAYS = { metadata: { name: "n" }, spec: {} } as unknown as KubeObject;
const GOES = {
  metadata: { name: "n" },
  spec: { taints: [{ key: "karpenter.sh/disrupted" }] },
} as unknown as KubeObject;

test.each([
  ["an eviction from a node that Karpenter takes away", disrupted("EvictionByEvictionAPI"), GOES, "node-goes"],
  ["an eviction from a node that stays", disrupted("EvictionByEvictionAPI"), STAYS, "eviction"],
  ["an eviction, if nodes are not known", disrupted("EvictionByEvictionAPI"), undefined, "eviction"],
  ["a pod with a higher priority", disrupted("PreemptionByScheduler"), STAYS, "preemption"],
  ["a node that cannot be reached", disrupted("DeletionByTaintManager"), STAYS, "node-lost"],
  ["a node that is gone", disrupted("DeletionByPodGC"), undefined, "node-lost"],
  [
    "a node with too little memory",
    disrupted("TerminationByKubelet", "The node was low on resource: memory."),
    STAYS,
    "node-pressure",
  ],
  [
    "a node that shuts down",
    disrupted("TerminationByKubelet", "Pod was terminated in response to imminent node shutdown."),
    STAYS,
    "node-goes",
  ],
  [
    "a node with too little disk, of an older kubelet",
    failed({ exitCode: 137 }, { reason: "Evicted" }),
    STAYS,
    "node-pressure",
  ],
  ["a shutdown, of an older kubelet", failed({ exitCode: 137 }, { reason: "NodeShutdown" }), STAYS, "node-goes"],
  ["its memory", failed({ exitCode: 137, reason: "OOMKilled" }), STAYS, "memory"],
  [
    "a container that the node has lost",
    failed({ exitCode: 137, reason: "ContainerStatusUnknown" }),
    STAYS,
    "node-lost",
  ],
  ["an error", failed({ exitCode: 52, reason: "Error" }), STAYS, "failed"],
  ["its driver's wish", ended({ phase: "Running" }, "now"), STAYS, undefined],
  ["its driver's wish, after which it was killed", ended({ phase: "Failed" }, "now"), STAYS, undefined],
  ["the end of its work", ended({ phase: "Succeeded" }), STAYS, undefined],
] as const)("an executor that ended because of %s", (_, pod, node, cause) => {
  expect(lossCause(pod, node)).toBe(cause);
});
