import { expect, test } from "vitest";
import { OtherPods, type OtherPod } from "../../../src/admission/demand/other-pods.ts";
import { PodShapes } from "../../../src/admission/demand/pod-shapes.ts";

test("a node has only pods of DaemonSets until another pod runs there, and after that pod is gone", () => {
  const others = new OtherPods(new PodShapes(), () => true);
  const pod = (name: string, owner?: string): OtherPod =>
    others.keep({
      ...{ apiVersion: "v1", kind: "Pod" },
      metadata: {
        ...{ name, namespace: "default", uid: `uid-of-${name}`, resourceVersion: "1" },
        creationTimestamp: "2026-11-29T00:00:00Z",
        ...(owner !== undefined && {
          ownerReferences: [{ apiVersion: "apps/v1", kind: owner, name: "owner", uid: "uid-of-owner" }],
        }),
      },
      spec: { nodeName: "node-1", containers: [{ name: "c", image: "i" }] },
    });
  const [logs, web] = [pod("logs", "DaemonSet"), pod("web", "ReplicaSet")];
  expect(others.areOnlyDaemonsOn("node-1"), "a node without pods").toBe(true);
  others.count({ type: "added", record: logs });
  expect(others.areOnlyDaemonsOn("node-1")).toBe(true);
  others.count({ type: "added", record: web });
  expect(others.areOnlyDaemonsOn("node-1")).toBe(false);
  others.count({ type: "deleted", record: web, previous: web });
  expect(others.areOnlyDaemonsOn("node-1")).toBe(true);
});
