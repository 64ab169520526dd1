import type { ConnectState, SparkConnect } from "@kindling/spark-application";
import { aSparkConnect } from "@kindling/spark-application/testing";
import { describe, expect, test } from "vitest";
import { decideConnect } from "../../src/connect-states/decide-connect.ts";
import type { ConnectServerRecord } from "../../src/pods/connect-pod-record.ts";
import { MINUTE, NOW, server, starting, view } from "./connect-views.ts";

function inState(state: ConnectState): SparkConnect {
  return aSparkConnect({}, { status: { state, startTime: "2026-03-01T11:00:00Z" } });
}

describe("states", () => {
  test("a new object gets a server", () => {
    const decision = decideConnect(view(aSparkConnect()));
    expect(decision).toMatchObject({
      action: { kind: "make-server" },
      status: {
        state: "Provisioning",
        server: { podName: "notebook-server", serviceName: "notebook-server" },
        startTime: "2026-03-01T12:00:00Z",
        lastUpdateTime: "2026-03-01T12:00:00Z",
        conditions: [{ type: "ServerPodReady", status: "False", reason: "ServerPodNotReady" }],
      },
      events: [{ reason: "SparkConnectProvisioning" }],
    });
    expect(decision.status.executors).toBeUndefined();
  });

  test("a ready server and its executors are told", () => {
    const executorPhases = ["Running", "Pending", "Running"];
    expect(decideConnect(view(inState("Provisioning"), { server: server(), executorPhases }))).toMatchObject({
      action: undefined,
      status: {
        state: "Ready",
        server: { podName: "notebook-server", podIp: "10.1.2.3", serviceName: "notebook-server" },
        executors: { pending: 1, running: 2 },
        startTime: "2026-03-01T11:00:00Z",
        conditions: [{ type: "ServerPodReady", status: "True", reason: "ServerPodReady" }],
      },
      events: [
        {
          type: "Normal",
          reason: "SparkConnectReady",
          message: "SparkConnect notebook is ready: sc://notebook-server.spark-jobs.svc:15002",
        },
      ],
    });
  });

  test("nothing is written twice", () => {
    const { status } = decideConnect(view(inState("Provisioning"), { server: server() }));
    const again = aSparkConnect({}, { status });
    expect(decideConnect(view(again, { server: server(), nowMs: NOW + MINUTE }))).toMatchObject({ events: [] });
    expect(decideConnect(view(again, { server: server(), nowMs: NOW + MINUTE })).status).toBe(status);
  });

  test.each<[string, ConnectState, ConnectServerRecord | undefined, ConnectState]>([
    ["one that starts", "", starting(), "Provisioning"],
    ["one that still starts", "Provisioning", starting(), "Provisioning"],
    ["one that was ready", "Ready", starting({ phase: "Running" }), "NotReady"],
    ["one that comes back", "NotReady", starting(), "NotReady"],
    ["none, where one was", "Ready", undefined, "NotReady"],
    ["one that goes", "Ready", server({ isDeleting: true }), "NotReady"],
    ["one that failed once", "Provisioning", starting({ waitsFor: "CrashLoopBackOff", restarts: 1 }), "Provisioning"],
    ["one that fails again and again", "Ready", starting({ waitsFor: "CrashLoopBackOff", restarts: 5 }), "Failed"],
    ["one that is tried once more", "Failed", starting({ restarts: 6 }), "Failed"],
    ["another one after that", "Failed", starting(), "Provisioning"],
    ["one that starts at last", "Failed", server({ restarts: 6 }), "Ready"],
    ["one whose image has no name", "Provisioning", starting({ waitsFor: "InvalidImageName" }), "Failed"],
    ["one that has ended for good", "Ready", starting({ phase: "Failed", isRestarted: false }), "Failed"],
    ["one that ended well for good", "Ready", starting({ phase: "Succeeded", isRestarted: false }), "Failed"],
  ])("%s, after '%s'", (_what, before, pod, wanted) => {
    expect(decideConnect(view(inState(before), { server: pod })).status.state).toBe(wanted);
  });

  test("what is wrong with the pod is told", () => {
    const pod = starting({ trouble: "ImagePullBackOff: no such\nimage" });
    const [condition] = decideConnect(view(aSparkConnect(), { server: pod })).status.conditions ?? [];
    expect(condition?.message).toBe("Server pod is not ready: ImagePullBackOff: no such image");
  });

  test("a condition keeps its time until it changes", () => {
    const since = "2026-03-01T11:30:00Z";
    const condition = { type: "ServerPodReady", reason: "ServerPodReady", message: "m", lastTransitionTime: since };
    const other = { ...condition, type: "Other", status: "True" } as const;
    const connect = aSparkConnect(
      {},
      { status: { state: "Ready", conditions: [other, { ...condition, status: "True" }] } },
    );
    const [first, still] = decideConnect(view(connect, { server: server() })).status.conditions ?? [];
    expect(first).toEqual(other);
    expect(still?.lastTransitionTime).toBe(since);
    const [, changed] = decideConnect(view(connect, { server: starting() })).status.conditions ?? [];
    expect(changed).toMatchObject({ status: "False", lastTransitionTime: "2026-03-01T12:00:00Z" });
  });

  test("an object that is being deleted is left alone", () => {
    const connect = aSparkConnect({}, { metadata: { deletionTimestamp: "2026-03-01T12:00:00Z" } });
    expect(decideConnect(view(connect))).toMatchObject({ action: undefined, events: [], status: connect.status });
  });
});

describe("refusals", () => {
  test("an object that may not run is failed, and gets no server", () => {
    const decision = decideConnect(view(aSparkConnect(), { faults: ["sparkVersion is required", "and more"] }));
    expect(decision).toMatchObject({ action: undefined, status: { state: "Failed" } });
    expect(decision.events).toEqual([
      {
        type: "Warning",
        reason: "SparkConnectFailed",
        message: "SparkConnect notebook failed: Server pod is not ready: sparkVersion is required; and more",
      },
    ]);
  });

  test("a running server stays when a change of its spec is refused", () => {
    const changed = aSparkConnect({ sparkVersion: "" }, { metadata: { generation: 2 }, status: { state: "Ready" } });
    expect(decideConnect(view(changed, { server: server(), faults: ["sparkVersion is required"] }))).toMatchObject({
      action: undefined,
      status: { state: "Ready" },
    });
  });

  test("a quota that is full is told", () => {
    const refusal = "pods notebook-server is forbidden: exceeded quota";
    expect(decideConnect(view(aSparkConnect(), { refusal })).status).toMatchObject({
      state: "Failed",
      conditions: [{ message: `Server pod is not ready: ${refusal}` }],
    });
  });

  test("so is a service that the API server refuses, though the server is ready", () => {
    expect(decideConnect(view(aSparkConnect(), { server: server(), refusal: "no such type" })).status).toMatchObject({
      state: "Failed",
      conditions: [{ status: "False", message: expect.stringContaining("no such type") }],
    });
  });
});

describe("servers that are replaced", () => {
  test("one that was made for another spec", () => {
    const changed = aSparkConnect({ image: "apache/spark:4.3.1" }, { metadata: { generation: 2 } });
    expect(decideConnect(view(changed, { server: server() })).action).toMatchObject({
      kind: "delete-server",
      why: "the spec has changed",
    });
    expect(decideConnect(view(changed, { server: server({ isDeleting: true }) })).action).toBeUndefined();
    expect(decideConnect(view(changed)).action).toEqual({ kind: "make-server" });
  });

  test("not after a change of the service, or of what this program reads", () => {
    const service = { metadata: { name: "other" } };
    const changed = aSparkConnect({ server: { service } }, { metadata: { generation: 2 } });
    expect(decideConnect(view(changed, { server: server() })).action).toBeUndefined();
    const otherHash = server({ specMark: "1-0123456789abcdef" });
    expect(decideConnect(view(aSparkConnect(), { server: otherHash })).action).toBeUndefined();
  });

  test("one of stock's operator goes on until the spec changes", () => {
    const pod = server({ specMark: undefined });
    const { action, status } = decideConnect(view(aSparkConnect({}, { metadata: { generation: 3 } }), { server: pod }));
    expect(action).toBeUndefined();
    const changed = aSparkConnect({}, { metadata: { generation: 4 }, status });
    const decision = decideConnect(view(changed, { server: pod }));
    expect(decision.action).toMatchObject({ kind: "delete-server" });
    const again = aSparkConnect({}, { metadata: { generation: 4 }, status: decision.status });
    expect(decideConnect(view(again, { server: pod })).action).toMatchObject({ kind: "delete-server" });
  });

  test("one that was evicted", () => {
    const evicted = starting({ phase: "Failed", trouble: "Evicted: the node was low on memory" });
    expect(decideConnect(view(inState("Ready"), { server: evicted })).action).toMatchObject({ kind: "delete-server" });
    const forGood = { ...evicted, isRestarted: false };
    expect(decideConnect(view(inState("Ready"), { server: forGood })).action).toBeUndefined();
  });
});
