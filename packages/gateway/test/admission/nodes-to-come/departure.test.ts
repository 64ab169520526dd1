import { expect, test } from "vitest";
import { departureOf } from "../../../src/admission/nodes-to-come/departure.ts";
import { aNode, object } from "./objects.ts";

test.each([
  ["karpenter.sh/disrupted", "NoSchedule"],
  ["ToBeDeletedByClusterAutoscaler", "NoSchedule"],
  ["aws-node-termination-handler/spot-itn", "NoSchedule"],
  ["cloud.google.com/impending-node-termination", "NoSchedule"],
  ["node.kubernetes.io/unschedulable", "NoSchedule"],
  ["node.kubernetes.io/out-of-service", "NoExecute"],
])("a node with the taint %s goes", (key, effect) => {
  expect(departureOf(aNode("n", {}, { taints: [{ key, effect }] }))).toBe(key);
});

test("a node goes that is cordoned, that is deleted, or of which the cloud tells an event", () => {
  const node = aNode("n", {});
  const event = { conditions: [{ type: "PreemptScheduled", status: "True" }] };
  expect([
    departureOf(object("Node", "n", { spec: { unschedulable: true } })),
    departureOf({ ...node, metadata: { ...node.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } }),
    departureOf({ ...node, status: event }),
  ]).toEqual(["node.kubernetes.io/unschedulable", "its deletion", "PreemptScheduled"]);
});

test.each([
  ["nothing", aNode("n", {})],
  ["a taint for certain pods", aNode("n", {}, { taints: [{ key: "gpu", effect: "NoSchedule" }] })],
  [
    "that it may be taken away some time",
    aNode("n", {}, { taints: [{ key: "DeletionCandidateOfClusterAutoscaler", effect: "PreferNoSchedule" }] }),
  ],
  ["that it is not ready", aNode("n", {}, { ready: false })],
  [
    "that no event is scheduled",
    object("Node", "n", { status: { conditions: [{ type: "PreemptScheduled", status: "False" }] } }),
  ],
  ["nonsense", object("Node", "n", { spec: { taints: [4, { key: 7 }] }, status: "?" })],
])("a node stays that says %s", (_, node) => {
  expect(departureOf(node)).toBeUndefined();
});
