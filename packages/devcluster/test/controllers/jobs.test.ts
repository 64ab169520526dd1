import { ManualClock } from "@kindling/outside";
import { at } from "@kindling/test-kit/case-context";
import type { JsonObject } from "@kindling/test-kit/json";
import { expect, test } from "vitest";
import { type Scene, testCluster } from "../support/test-cluster.ts";

const JOBS = "/apis/batch/v1/namespaces/default/jobs";

function job(name: string, spec: JsonObject = {}, pod: JsonObject = {}): JsonObject {
  const containers = [{ name: "main", image: "example/image:1" }];
  return { metadata: { name }, spec: { ...spec, template: { spec: { restartPolicy: "Never", containers, ...pod } } } };
}

async function read({ client }: Scene, name: string): Promise<JsonObject> {
  return (await client.get(`${JOBS}/${name}`)).body;
}

/** The pods of a Job, as its user looks for them. */
async function podsOf({ client, context }: Scene, name: string): Promise<JsonObject[]> {
  const selector = encodeURIComponent(`batch.kubernetes.io/job-name=${name}`);
  return (await client.get(`${context.path("pods")}?labelSelector=${selector}`)).body["items"] as JsonObject[];
}

async function runningPod(scene: Scene, name: string): Promise<string> {
  await expect.poll(async () => at((await podsOf(scene, name)).at(-1) ?? {}, "status.phase")).toBe("Running");
  return String(at((await podsOf(scene, name)).at(-1) ?? {}, "metadata.name"));
}

async function conditionOf(scene: Scene, name: string): Promise<unknown> {
  return at(await read(scene, name), "status.conditions.1");
}

test("a job runs a pod, and is complete when that has succeeded", async () => {
  const scene = await testCluster();
  await scene.context.create(JOBS, job("once"));
  const pod = await runningPod(scene, "once");
  expect(pod).toMatch(/^once-/);
  expect((await read(scene, "once"))["status"]).toMatchObject({ active: 1, terminating: 0 });
  scene.cluster.podFaults.exit({ namespace: "default", name: pod }, { exitCode: 0 });
  await expect.poll(() => conditionOf(scene, "once")).toMatchObject({ type: "Complete", status: "True" });
  expect((await read(scene, "once"))["status"]).toMatchObject({ succeeded: 1, ready: 0 });
  expect(await podsOf(scene, "once")).toHaveLength(1);
});

test("a job that has failed too often starts no more pods", async () => {
  const scene = await testCluster();
  await scene.context.create(JOBS, job("failing", { backoffLimit: 0 }));
  const name = await runningPod(scene, "failing");
  scene.cluster.podFaults.exit({ namespace: "default", name }, { exitCode: 3 });
  await expect
    .poll(() => conditionOf(scene, "failing"))
    .toMatchObject({ type: "Failed", reason: "BackoffLimitExceeded" });
  expect(await podsOf(scene, "failing")).toHaveLength(1);
});

test("a job of several completions runs as many pods at once as it may", async () => {
  const scene = await testCluster();
  await scene.context.create(JOBS, job("many", { completions: 3, parallelism: 2 }));
  await runningPod(scene, "many");
  await expect.poll(() => podsOf(scene, "many")).toHaveLength(2);
  scene.cluster.podFaults.exit({ namespace: "default", name: await runningPod(scene, "many") }, { exitCode: 0 });
  await expect.poll(() => podsOf(scene, "many")).toHaveLength(3);
});

test("a job that is too old ends, and goes with its pods when its time after the end is over", async () => {
  const clock = new ManualClock(Date.parse("2026-03-01T08:00:00Z"));
  const scene = await testCluster({ clock });
  await scene.context.create(JOBS, job("late", { activeDeadlineSeconds: 60, ttlSecondsAfterFinished: 30 }));
  await runningPod(scene, "late");
  await clock.advance(61_000);
  await expect.poll(() => conditionOf(scene, "late")).toMatchObject({ type: "Failed", reason: "DeadlineExceeded" });
  await clock.advance(31_000);
  await expect.poll(async () => (await scene.client.get(`${JOBS}/late`)).status).toBe(404);
  await expect
    .poll(async () => {
      await clock.advance(1000);
      return await podsOf(scene, "late");
    })
    .toEqual([]);
});

test("a job whose pod is refused says why in an event", async () => {
  const scene = await testCluster();
  await scene.context.create(JOBS, job("refused", {}, { serviceAccountName: "nobody-knows-it" }));
  await expect
    .poll(async () => {
      const { body } = await scene.client.get(
        `${scene.context.path("events")}?fieldSelector=involvedObject.kind%3DJob`,
      );
      return (body["items"] as JsonObject[]).map(({ reason, message }) => `${String(reason)}: ${String(message)}`);
    })
    .toContainEqual(expect.stringMatching(/^FailedCreate: .*nobody-knows-it/));
});

test.each<[string, JsonObject, JsonObject, string]>([
  ["a pod that is always restarted", {}, { restartPolicy: "Always" }, "spec.template.spec.restartPolicy"],
  ["less than no pods", { parallelism: -1 }, {}, "spec.parallelism"],
])("a job with %s is refused", async (_, spec, pod, field) => {
  const { client } = await testCluster();
  const { status, body } = await client.post(JOBS, job("wrong", spec, pod));
  expect(status).toBe(422);
  expect(body["message"]).toContain(field);
});
