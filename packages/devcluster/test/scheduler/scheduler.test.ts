import { at } from "@kindling/test-kit/case-context";
import type { JsonObject } from "@kindling/test-kit/json";
import { describe, expect, test } from "vitest";
import { ManualClock } from "@kindling/outside";
import { hollowPod, type Scene, statusOf, testCluster, untilStatus } from "../support/test-cluster.ts";

function asking(cpu: string, memory: string = "1Gi"): JsonObject {
  return { containers: [{ name: "main", image: "x", resources: { requests: { cpu, memory } } }] };
}

async function nodeOf({ client, context }: Scene, name: string): Promise<unknown> {
  return at((await client.get(context.path("pods", name))).body, "spec.nodeName");
}

async function priorityClass({ context }: Scene, name: string, value: number, more: object = {}): Promise<void> {
  await context.create("/apis/scheduling.k8s.io/v1/priorityclasses", { metadata: { name }, value, ...more });
}

describe("room", () => {
  test("is what the pods of a node leave, and is free again when they are done", async () => {
    const scene = await testCluster({ nodes: [{ name: "small", cpu: "2", memory: "8Gi" }] });
    const { cluster, context } = scene;
    const pods = context.path("pods");
    for (const name of ["a", "b", "c"])
      await context.create(pods, hollowPod(name, {}, { ...asking("1"), restartPolicy: "Never" }));
    for (const name of ["a", "b"]) await untilStatus(scene, name, "phase", "Running");
    await untilStatus(scene, "c", "conditions.0.reason", "Unschedulable");
    cluster.podFaults.exit({ namespace: "default", name: "a" }, { exitCode: 0 });
    await untilStatus(scene, "c", "phase", "Running");
    expect(await nodeOf(scene, "c")).toBe("small");
  });

  test("is taken as a pod says for all of its containers together", async () => {
    const scene = await testCluster({ nodes: [{ cpu: "4", memory: "8Gi" }] });
    const { context } = scene;
    const resources = { limits: { cpu: "3" } };
    const containers = [{ name: "main", image: "x" }];
    await context.create(context.path("pods"), hollowPod("a", {}, { containers, resources }));
    await untilStatus(scene, "a", "phase", "Running");
    await context.create(context.path("pods"), hollowPod("b", {}, asking("2")));
    const short = await untilStatus(scene, "b", "conditions.0.reason", "Unschedulable");
    expect(at(short, "conditions.0.message")).toContain("1 Insufficient cpu");
  });

  test("is counted in every resource, also the number of pods", async () => {
    const scene = await testCluster({ nodes: [{ cpu: "64", memory: "2Gi", pods: "2" }] });
    const { context } = scene;
    const pods = context.path("pods");
    await context.create(pods, hollowPod("a", {}, asking("1", "1536Mi")));
    await untilStatus(scene, "a", "phase", "Running");
    await context.create(pods, hollowPod("b", {}, asking("1", "1Gi")));
    const short = await untilStatus(scene, "b", "conditions.0.reason", "Unschedulable");
    expect(at(short, "conditions.0.message")).toContain("1 Insufficient memory");
    await context.create(pods, hollowPod("c"));
    await untilStatus(scene, "c", "phase", "Running");
    await context.create(pods, hollowPod("d"));
    const many = await untilStatus(scene, "d", "conditions.0.reason", "Unschedulable");
    expect(at(many, "conditions.0.message")).toContain("1 Too many pods");
  });

  test("is used evenly", async () => {
    const scene = await testCluster({ nodes: [{ cpu: "8" }, { cpu: "8" }] });
    const { context } = scene;
    for (const name of ["a", "b", "c", "d"]) {
      await context.create(context.path("pods"), hollowPod(name, {}, asking("2")));
      await untilStatus(scene, name, "phase", "Running");
    }
    const nodes = await Promise.all(["a", "b", "c", "d"].map(async (name) => await nodeOf(scene, name)));
    expect(nodes.map(String).sort()).toEqual(["node-1", "node-1", "node-2", "node-2"]);
  });
});

describe("the choice of a node", () => {
  test("respects taints and what pods put up with", async () => {
    const taint = { key: "only", value: "spark", effect: "NoSchedule" };
    const scene = await testCluster({ nodes: [{ name: "reserved", taints: [taint] }] });
    const { context } = scene;
    const tolerations = [{ key: "only", operator: "Equal", value: "spark", effect: "NoSchedule" }];
    await context.create(context.path("pods"), hollowPod("stranger"));
    await context.create(context.path("pods"), hollowPod("guest", {}, { tolerations }));
    await untilStatus(scene, "guest", "phase", "Running");
    const status = await untilStatus(scene, "stranger", "conditions.0.reason", "Unschedulable");
    expect(at(status, "conditions.0.message")).toContain("1 node(s) had untolerated taint {only: spark}");
  });

  test("respects required affinity to nodes", async () => {
    const scene = await testCluster({ nodes: [{ labels: { zone: "a" } }, { labels: { zone: "b" } }] });
    const { context } = scene;
    const term = { matchExpressions: [{ key: "zone", operator: "In", values: ["b"] }] };
    const affinity = {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
    };
    for (const name of ["one", "two"]) {
      await context.create(context.path("pods"), hollowPod(name, {}, { affinity }));
      await untilStatus(scene, name, "phase", "Running");
      expect(await nodeOf(scene, name)).toBe("node-2");
    }
  });

  test("looks again when a node changes", async () => {
    const scene = await testCluster();
    const { client, context } = scene;
    await context.create(context.path("pods"), hollowPod("one", {}, { nodeSelector: { disk: "fast" } }));
    await untilStatus(scene, "one", "conditions.0.reason", "Unschedulable");
    await client.patch("/api/v1/nodes/node-1", "merge", { metadata: { labels: { disk: "fast" } } });
    await untilStatus(scene, "one", "phase", "Running");
    expect(await nodeOf(scene, "one")).toBe("node-1");
  });
});

describe("priority", () => {
  test("takes no pod away for another", async () => {
    const scene = await testCluster({ nodes: [{ cpu: "1" }] });
    const { context } = scene;
    await priorityClass(scene, "high", 1000);
    const pods = context.path("pods");
    await context.create(pods, hollowPod("first", {}, asking("1")));
    await untilStatus(scene, "first", "phase", "Running");
    await context.create(pods, hollowPod("equal", {}, asking("1")));
    await context.create(pods, hollowPod("high", {}, { ...asking("1"), priorityClassName: "high" }));
    for (const name of ["equal", "high"]) await untilStatus(scene, name, "conditions.0.reason", "Unschedulable");
    expect((await statusOf(scene, "first"))["phase"]).toBe("Running");
  });

  test("decides who comes first when there is room again", async () => {
    const clock = new ManualClock();
    const scene = await testCluster({ clock, nodes: [{ cpu: "1" }] });
    const { cluster, context } = scene;
    await priorityClass(scene, "polite", 1000, { preemptionPolicy: "Never" });
    const pods = context.path("pods");
    const once = { restartPolicy: "Never" };
    await context.create(pods, hollowPod("first", {}, { ...asking("1"), ...once }));
    await clock.advance(0);
    await context.create(pods, hollowPod("early", {}, asking("1")));
    await context.create(pods, hollowPod("late", {}, { ...asking("1"), priorityClassName: "polite" }));
    await clock.advance(0);
    cluster.podFaults.exit({ namespace: "default", name: "first" }, { exitCode: 0 });
    await clock.advance(0);
    await clock.advance(0);
    expect((await statusOf(scene, "late"))["phase"]).toBe("Running");
    expect((await statusOf(scene, "early"))["phase"]).toBe("Pending");
  });
});
