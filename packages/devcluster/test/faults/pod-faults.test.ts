import { at } from "@kindling/test-kit/case-context";
import { describe, expect, test } from "vitest";
import { ManualClock } from "@kindling/outside";
import { eventReasons, hollowPod, statusOf, testCluster, untilStatus } from "../support/test-cluster.ts";

const ONE = { namespace: "default", name: "one" };
const WAITING = "containerStatuses.0.state.waiting.reason";

describe("an image that cannot be pulled", () => {
  test("keeps a pod waiting until it can", async () => {
    const clock = new ManualClock();
    const scene = await testCluster({ clock });
    const { cluster, context } = scene;
    const restore = cluster.podFaults.failImagePull("example/image:1", "no such host");
    await context.create(context.path("pods"), hollowPod("one"));
    await clock.advance(0);
    expect(at(await statusOf(scene, "one"), "containerStatuses.0.state.waiting")).toEqual({
      reason: "ErrImagePull",
      message: "no such host",
    });
    await clock.advance(1000);
    const status = await statusOf(scene, "one");
    expect(at(status, WAITING)).toBe("ImagePullBackOff");
    expect(status["phase"]).toBe("Pending");
    expect(await eventReasons(scene, "one")).toEqual(expect.arrayContaining(["BackOff", "Failed", "Pulling"]));
    restore();
    await clock.advance(10_000);
    expect((await statusOf(scene, "one"))["phase"]).toBe("Running");
  });

  test("leaves pods with other images alone", async () => {
    const scene = await testCluster();
    scene.cluster.podFaults.failImagePull("example/other:1");
    await scene.context.create(scene.context.path("pods"), hollowPod("one"));
    const status = await untilStatus(scene, "one", "phase", "Running");
    expect(at(status, "containerStatuses.0.image")).toBe("example/image:1");
  });
});

describe("memory that runs out", () => {
  test("kills the containers of a pod", async () => {
    const scene = await testCluster();
    const { cluster, context } = scene;
    await context.create(context.path("pods"), hollowPod("one", {}, { restartPolicy: "Never" }));
    await untilStatus(scene, "one", "phase", "Running");
    cluster.podFaults.outOfMemory(ONE);
    const status = await untilStatus(scene, "one", "phase", "Failed");
    expect(at(status, "containerStatuses.0.state.terminated")).toMatchObject({ exitCode: 137, reason: "OOMKilled" });
  });

  test("has a container started again that shall always run", async () => {
    const scene = await testCluster();
    const { cluster, context } = scene;
    await context.create(context.path("pods"), hollowPod("one"));
    await untilStatus(scene, "one", "phase", "Running");
    cluster.podFaults.outOfMemory(ONE, "main");
    const status = await untilStatus(scene, "one", "containerStatuses.0.restartCount", 1);
    expect(at(status, "containerStatuses.0.lastState.terminated.reason")).toBe("OOMKilled");
  });

  test("cannot hit a pod that is not there", async () => {
    const { cluster } = await testCluster();
    expect(() => cluster.podFaults.outOfMemory(ONE)).toThrow("no pod one in namespace default");
  });
});

test("a container can be made to end with any code", async () => {
  const scene = await testCluster();
  const { cluster, context } = scene;
  await context.create(context.path("pods"), hollowPod("one", {}, { restartPolicy: "Never" }));
  await untilStatus(scene, "one", "phase", "Running");
  cluster.podFaults.exit(ONE, { exitCode: 52, message: "killed by the driver" });
  const status = await untilStatus(scene, "one", "phase", "Failed");
  expect(at(status, "containerStatuses.0.state.terminated")).toMatchObject({
    exitCode: 52,
    reason: "Error",
    message: "killed by the driver",
  });
});

test("an evicted pod fails, and stays to be looked at", async () => {
  const scene = await testCluster();
  const { cluster, context } = scene;
  await context.create(context.path("pods"), hollowPod("one"));
  await untilStatus(scene, "one", "phase", "Running");
  cluster.podFaults.evict(ONE, "The node was low on resource: ephemeral-storage.");
  const status = await untilStatus(scene, "one", "phase", "Failed");
  expect(status).toMatchObject({
    reason: "Evicted",
    message: "The node was low on resource: ephemeral-storage.",
  });
  expect(status["conditions"]).toContainEqual(
    expect.objectContaining({ type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet" }),
  );
});

test("a preempted pod is deleted in its own time, and says why", async () => {
  const scene = await testCluster();
  const { cluster, client, context } = scene;
  const watch = await context.watch(`${context.path("pods")}?watch=true`);
  await context.create(context.path("pods"), hollowPod("one"));
  await untilStatus(scene, "one", "phase", "Running");
  cluster.podFaults.preempt(ONE);
  await context.untilGone(context.path("pods", "one"));
  const last = await (async () => {
    for (;;) {
      const event = await watch.next();
      if (event === undefined || event.type === "DELETED") return event;
    }
  })();
  expect(at(last?.object, "status.conditions")).toContainEqual(
    expect.objectContaining({ type: "DisruptionTarget", reason: "PreemptionByScheduler" }),
  );
  expect((await client.get(context.path("pods", "one"))).status).toBe(404);
});

describe("a node that is lost", () => {
  test("has its pods evicted when their patience ends, which end when it comes back", async () => {
    const clock = new ManualClock();
    const scene = await testCluster({ clock });
    const { cluster, client, context } = scene;
    await context.create(context.path("pods"), hollowPod("one"));
    await clock.advance(0);
    cluster.podFaults.loseNode("node-1");
    await clock.advance(0);
    const node = await client.get("/api/v1/nodes/node-1");
    expect(at(node.body, "status.conditions")).toContainEqual(
      expect.objectContaining({ type: "Ready", status: "Unknown", reason: "NodeStatusUnknown" }),
    );
    expect(at(node.body, "spec.taints")).toContainEqual({ key: "node.kubernetes.io/unreachable", effect: "NoExecute" });
    const lost = await statusOf(scene, "one");
    expect(lost["phase"]).toBe("Running");
    expect(lost["conditions"]).toContainEqual(expect.objectContaining({ type: "Ready", status: "False" }));
    // Pods tolerate a lost node for five minutes, unless they say otherwise.
    await clock.advance(299_000);
    expect(at((await client.get(context.path("pods", "one"))).body, "metadata.deletionTimestamp")).toBeUndefined();
    await clock.advance(1000);
    const evicted = await client.get(context.path("pods", "one"));
    expect(at(evicted.body, "metadata.deletionTimestamp")).toEqual(expect.any(String));
    expect(at(evicted.body, "status.conditions")).toContainEqual(
      expect.objectContaining({ type: "DisruptionTarget", reason: "DeletionByTaintManager" }),
    );
    // Nothing is there that could end it.
    await clock.advance(600_000);
    expect((await client.get(context.path("pods", "one"))).status).toBe(200);
    cluster.podFaults.recoverNode("node-1");
    await clock.advance(30_000);
    expect((await client.get(context.path("pods", "one"))).status).toBe(404);
  });

  test("gets no new pods until it comes back", async () => {
    const scene = await testCluster({ nodes: 2 });
    const { cluster, client, context } = scene;
    cluster.podFaults.loseNode("node-2");
    for (const name of ["a", "b", "c", "d"]) await context.create(context.path("pods"), hollowPod(name));
    for (const name of ["a", "b", "c", "d"]) {
      await untilStatus(scene, name, "phase", "Running");
      expect(at((await client.get(context.path("pods", name))).body, "spec.nodeName")).toBe("node-1");
    }
    cluster.podFaults.recoverNode("node-2");
    for (const name of ["e", "f"]) await context.create(context.path("pods"), hollowPod(name));
    for (const name of ["e", "f"]) await untilStatus(scene, name, "phase", "Running");
    expect(at((await client.get(context.path("pods", "e"))).body, "spec.nodeName")).toBe("node-2");
  });
});

test("slow starts delay pods until they are over", async () => {
  const clock = new ManualClock();
  const scene = await testCluster({ clock });
  const { cluster, context } = scene;
  const restore = cluster.podFaults.slowStart(30_000);
  await context.create(context.path("pods"), hollowPod("one"));
  await clock.advance(59_000);
  expect((await statusOf(scene, "one"))["phase"]).toBe("Pending");
  await clock.advance(1000);
  expect((await statusOf(scene, "one"))["phase"]).toBe("Running");
  restore();
  await context.create(context.path("pods"), hollowPod("two"));
  await clock.advance(0);
  expect((await statusOf(scene, "two"))["phase"]).toBe("Running");
});
