import type { KubeObject } from "@kindling/api-server";
import { describe, expect, test } from "vitest";
import { refusedExecutor } from "../../src/pods/check-executor.ts";

type Spec = KubeObject["spec"];

function pod(role: string, spec: unknown, metadata: object = {}): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: role,
      uid: `uid-of-${role}`,
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
      labels: { "spark-role": role, "spark-app-selector": "spark-1", "spark-exec-id": "1" },
      ...metadata,
    },
    spec: spec as Spec,
  };
}

function why(executor: KubeObject, driverSpec: unknown = {}, executors = 0): string | undefined {
  const asking = { id: "spark-1", driver: pod("driver", driverSpec), executors };
  return refusedExecutor(executor, asking, 10)?.message;
}

describe("what an executor may have", () => {
  const hostPath = { volumes: [{ name: "v", hostPath: { path: "/data" } }] };
  const container = (securityContext: object): object => ({ containers: [{ name: "c", securityContext }] });
  test.each<[string, unknown]>([
    ["hostNetwork", { hostNetwork: true }],
    ["hostPID", { hostPID: true }],
    ["hostIPC", { hostIPC: true }],
    ["a hostPath volume of /data", hostPath],
    ["a privileged container", container({ privileged: true })],
    ["a privileged container", { initContainers: [{ name: "i", securityContext: { privileged: true } }] }],
    ["the capability NET_ADMIN", container({ capabilities: { add: ["NET_ADMIN"] } })],
    ["a hostPort", { containers: [{ name: "c", ports: [{ containerPort: 1, hostPort: 1 }] }] }],
    ["service account admin", { serviceAccountName: "admin" }],
    ["service account admin", { serviceAccount: "admin" }],
  ])("%s, only if the driver has it", (name, spec) => {
    expect(why(pod("executor", spec))).toContain(`it has ${name}, and the driver's pod has not`);
    expect(why(pod("executor", spec), spec)).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["a spec that is none", "x"],
    ["containers that are none", { containers: "x", initContainers: [null, 1], volumes: {} }],
    [
      "the driver's own kinds of volumes",
      {
        volumes: [
          { name: "a", emptyDir: {} },
          { name: "b", configMap: {} },
        ],
      },
    ],
    ["fewer capabilities", container({ capabilities: { drop: ["ALL"] }, privileged: false })],
    ["the account that pods have by default", { serviceAccountName: "default" }],
  ])("%s is allowed", (_, spec) => {
    expect(why(pod("executor", spec))).toBeUndefined();
  });

  test("another host path than the driver's is another thing", () => {
    const other = { volumes: [{ name: "v", hostPath: { path: "/" } }] };
    expect(why(pod("executor", other), hostPath)).toContain("a hostPath volume of /,");
  });
});

test.each<[RegExp, object]>([
  [
    /its label spark-app-selector must be that of the driver's own application, spark-1/,
    { labels: { "spark-role": "executor" } },
  ],
  [/its label spark-role must be executor/, { labels: { "spark-app-selector": "spark-1", "spark-role": "driver" } }],
  [/it has no label spark-exec-id/, { labels: { "spark-app-selector": "spark-1", "spark-role": "executor" } }],
  [
    /its owner can be nothing but the driver's pod/,
    { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "x", uid: "x" }] },
  ],
])("refuses what says that %s", (message, metadata) => {
  expect(why(pod("executor", {}, metadata))).toMatch(message);
});

test("an application has so many executors and no more", () => {
  expect(why(pod("executor", {}), {}, 9)).toBeUndefined();
  expect(why(pod("executor", {}), {}, 10)).toBe(
    'pods "executor" is forbidden: at most 10 executor pods are allowed for one application',
  );
});
