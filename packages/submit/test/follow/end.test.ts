import type { Step } from "@kindling/core-spec";
import type { Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { caught } from "@kindling/test-kit/caught";
import { follow, type Followed, isLook, isWatch, phases, states } from "../fixtures/followed.ts";
import { submitTo, type SubmitCall } from "../fixtures/submission.ts";

const UNSCHEDULED: SubmitCall = { conf: { "spark.kubernetes.driver.scheduler.name": "nobody" } };

/** A container beside the driver's. */
function sidecar(name: string): Step {
  return {
    name: "sidecar",
    configureDriver: (spec) => {
      const containers = [...(spec.driverPod.spec?.containers ?? []), { name, image: "sidecar:1" }];
      return { ...spec, driverPod: { ...spec.driverPod, spec: { ...spec.driverPod.spec, containers } } };
    },
  };
}

describe("an application that ends", () => {
  test("well: each state is told once, then the end", async () => {
    const { events, result, watching, finish } = await follow();
    await watching();
    await finish(0);
    const { outcome, application } = await result;
    expect(outcome).toEqual({ phase: "Succeeded", exitCode: 0 });
    expect(phases(events)).toEqual(["Pending", "Running", "Succeeded"]);
    expect(new Set(states(events)).size).toBe(states(events).length);
    const types = events.map(({ type }) => type);
    expect(types).toEqual(["submitted", ...states(events).map(() => "state"), "finished"]);
    expect(events.at(-1)).toMatchObject({ type: "finished", application, state: { phase: "Succeeded" } });
  });

  test.each<[string, (followed: Followed) => Promise<void>, object]>([
    ["with a code", ({ finish }) => finish(3), { phase: "Failed", exitCode: 3, reason: "Error" }],
    ["for want of memory", ({ finish }) => finish(137, "OOMKilled"), { exitCode: 137, reason: "OOMKilled" }],
    [
      "by its node, while it runs",
      async ({ cluster, run }) => cluster.devCluster.podFaults.evict(nameOf(await run())),
      { phase: "Failed", exitCode: 143, reason: "Evicted" },
    ],
  ])("badly, %s", async (_, end, outcome) => {
    const followed = await follow();
    await end(followed);
    expect((await followed.result).outcome).toMatchObject(outcome);
  });

  test("well, though a container beside the driver's has not", async () => {
    const { cluster, result, run } = await follow({ steps: [sidecar("sidecar")] });
    const pod = await run();
    cluster.end(pod, 7, "Error", "sidecar");
    cluster.end(pod, 0, "Completed", "spark-kubernetes-driver");
    expect((await result).outcome).toEqual({ phase: "Succeeded", exitCode: 0 });
  });

  test.each<[number, object]>([
    [0, { phase: "Succeeded", exitCode: 0 }],
    [3, { phase: "Failed", exitCode: 3, reason: "Error" }],
  ])("with code %d while a container beside the driver's runs on, which is told", async (code, outcome) => {
    const { cluster, events, result, run } = await follow({ steps: [sidecar("mesh")] });
    const pod = await run();
    cluster.end(pod, code, code === 0 ? "Completed" : "Error", "spark-kubernetes-driver");
    expect((await result).outcome).toMatchObject(outcome);
    expect(events.at(-1)).toMatchObject({
      type: "diagnosis",
      diagnosis: {
        findings: expect.arrayContaining([
          expect.objectContaining({ cause: "SidecarRunsOn", container: "mesh" }),
        ]) as unknown,
      },
    });
  });

  test("as spark-submit has it: with its pod, which a container beside the driver's keeps", async () => {
    const { cluster, events, result, run } = await follow({ steps: [sidecar("mesh")], endsWith: "pod" });
    const pod = await run();
    cluster.end(pod, 3, "Error", "spark-kubernetes-driver");
    await expect.poll(() => states(events).at(-1)).toContain('"terminated"');
    cluster.end(pod, 0, "Completed", "mesh");
    expect((await result).outcome).toMatchObject({ phase: "Failed", exitCode: 3 });
    expect(phases(events).at(-1)).toBe("Failed");
  });

  const terminated = { exitCode: 7, reason: "Error" };
  const other = { name: "sidecar", image: "i", imageID: "", ready: false, restartCount: 0, state: { terminated } };

  // A kubelet reports all containers; a proxy between may not.
  test.each<[string, NonNullable<Pod["status"]>, object]>([
    [
      "without a container",
      { phase: "Failed", reason: "Evicted" },
      { phase: "Failed", exitCode: 1, reason: "Evicted" },
    ],
    [
      "with only another container's code",
      { phase: "Failed", containerStatuses: [other] },
      { phase: "Failed", exitCode: 7, reason: undefined },
    ],
  ])("badly, %s", async (_, status, outcome) => {
    const { cluster, result, pod, watching } = await follow();
    await watching();
    const text = JSON.stringify({ apiVersion: "v1", kind: "Pod", ...(await pod()), status });
    cluster.api.fault = (request) =>
      isWatch(request) ? { kind: "status", status: 403, message: "no" } : { kind: "answer", text };
    cluster.api.endWatches();
    expect((await result).outcome).toMatchObject(outcome);
  });

  test("before it is looked at for the first time", async () => {
    const cluster = await TestCluster.start();
    cluster.script = () => ({ runMilliseconds: 0 });
    const ended = cluster.driver().then((pod) => cluster.inPhase(pod, "Succeeded"));
    cluster.api.fault = (request) =>
      isLook(request) ? { kind: "wait", until: ended.then(() => undefined) } : undefined;
    expect((await submitTo(cluster, { wait: true })).outcome).toEqual({ phase: "Succeeded", exitCode: 0 });
  });
});

describe("an application that is deleted", () => {
  test.each<[string, SubmitCall, (followed: Followed) => Promise<Pod>]>([
    ["while it runs", {}, ({ run }) => run()],
    ["while it is pending", UNSCHEDULED, ({ pod }) => pod()],
  ])("%s, at once, has neither succeeded nor failed", async (_, call, before) => {
    const followed = await follow(call);
    await followed.watching();
    await followed.cluster.delete(await before(followed), { gracePeriodSeconds: 0 });
    expect((await followed.result).outcome).toEqual({ phase: "Deleted" });
    expect(followed.events.at(-1)?.type).toBe("finished");
  });

  test("with time to end is deleted, whatever its container says of the signal", async () => {
    const { cluster, events, result, watching, run } = await follow();
    await watching();
    await cluster.delete(await run());
    expect((await result).outcome).toEqual({ phase: "Deleted" });
    expect(events.map(({ type }) => type).slice(-2)).toEqual(["notice", "finished"]);
  });

  test("and made anew under the same name by somebody else is deleted all the same", async () => {
    const { cluster, result, pod, watching } = await follow(UNSCHEDULED);
    await watching();
    const { metadata: { name = "", namespace = "" } = {}, spec } = await pod();
    let remade: () => void = () => {};
    const until = new Promise<void>((resolve) => (remade = resolve));
    cluster.api.fault = (request) =>
      isWatch(request) ? { kind: "status", status: 403, message: "no" } : { kind: "wait", until };
    cluster.api.endWatches();
    await cluster.delete(await pod(), { gracePeriodSeconds: 0 });
    await cluster.createPod({ metadata: { name, namespace }, ...(spec !== undefined && { spec }) }, "Pending");
    remade();
    expect((await result).outcome).toEqual({ phase: "Deleted" });
  });
});

describe("what is not to be followed", () => {
  test.each<[string, SubmitCall]>([
    ["by the option", { wait: false }],
    [
      "by the configuration",
      { wait: "as configured", conf: { "spark.kubernetes.submission.waitAppCompletion": "false" } },
    ],
  ])("%s, is only submitted", async (_, call) => {
    const cluster = await TestCluster.start();
    expect((await submitTo(cluster, call)).outcome).toBeUndefined();
    expect(cluster.api.requests.filter(isLook)).toEqual([]);
  });

  test.each([
    ["spark.kubernetes.submission.waitAppCompletion", "perhaps", "true or false"],
    ["spark.kubernetes.report.interval", "often", "a duration such as 500ms, 30s or 5min"],
    ["spark.kubernetes.report.interval", "0s", "a positive duration"],
  ])("a bad %s is refused before anything is created", async (key, value, expected) => {
    const cluster = await TestCluster.start();
    const error = await caught(submitTo(cluster, { conf: { [key]: value } }));
    expect(error).toMatchObject({ code: "CONF_INVALID", message: `${key}: "${value}" is not ${expected}` });
    expect(cluster.api.writes).toEqual([]);
  });
});

test("an application that existed is followed to its end like any other", async () => {
  const cluster = await TestCluster.start();
  cluster.script = () => ({ runMilliseconds: 0, exitCode: 4 });
  await submitTo(cluster, { submissionId: "etl-1" });
  const { existed, outcome } = await submitTo(cluster, { submissionId: "etl-1", wait: true });
  expect(existed).toBe(true);
  expect(outcome).toMatchObject({ phase: "Failed", exitCode: 4, reason: "Error" });
});

function nameOf({ metadata: { namespace = "", name = "" } = {} }: Pod): { namespace: string; name: string } {
  return { namespace, name };
}
