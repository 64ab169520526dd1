import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeDriver, names } from "../../support/fake-driver.ts";
import { heldScene } from "../../support/held-scene.ts";

const uid = (pod: Pod | undefined): string => pod?.metadata?.uid ?? "";
const OVER = "status.phase!=Pending,status.phase!=Running";
const NOT_OVER = "status.phase!=Succeeded,status.phase!=Failed";

test("the pod of an ended executor goes when the recorder has read its log; for the driver it is gone at once", async () => {
  const scene = await heldScene();
  const { client, driver, recorder } = scene;
  const executors = await scene.run([1]);
  await scene.end(executors);
  const stream = await driver.watch(client, "web-socket");

  expect((await client.delete(driver.path("pods", "drv-exec-1"))).status).toBe(200);

  for (let type = ""; type !== "DELETED"; type = (await stream.nextChange())?.type ?? "DELETED");
  expect(await scene.seen()).toEqual([]);
  expect((await client.delete(driver.path("pods", "drv-exec-1"))).status).toBe(404);
  const question = await scene.question();
  expect(recorder.requests).toMatchObject([{ method: "POST", url: "/api/v1/pods/ends" }]);
  expect(question.pods).toEqual([{ namespace: "spark-jobs", name: "drv-exec-1", uid: uid(executors[0]) }]);
  await scene.inCluster(["drv-exec-1"]);
  // What still happens to it concerns the driver no more.
  await scene.cluster.send("PATCH", driver.path("pods", "drv-exec-1"), { metadata: { labels: { touched: "yes" } } });
  question.answer();
  await scene.inCluster([]);
  expect(await scene.seen()).toEqual([]);
  expect(scene.deletions()).toEqual(["/drv-exec-1"]);
});

test("with a recorder that hangs, the pod goes after five seconds", async () => {
  const scene = await heldScene();
  const { client, driver, clock } = scene;
  await scene.end(await scene.run([1]));
  await client.delete(driver.path("pods", "drv-exec-1"));
  await scene.question();
  await clock.advance(4_400);
  expect(scene.deletions()).toEqual([]);
  await clock.advance(100);
  await scene.inCluster([]);
  const metrics = await (await fetch(new URL("metrics", scene.gateway.adminUri))).text();
  expect(metrics).toContain('gateway_deletions_held_seconds_count{outcome="timed-out"} 1');
});

test("pods wait while the recorder is started again", async () => {
  const scene = await heldScene();
  const { client, driver, clock, recorder } = scene;
  await scene.end(await scene.run([1, 2]));
  await client.delete(driver.path("pods", "drv-exec-1"));
  (await scene.question()).fail();
  await client.delete(driver.path("pods", "drv-exec-2"));
  await eventually(() => expect(recorder.requests).toHaveLength(1));
  await clock.advance(1_000);
  const question = await scene.question();
  expect(question.pods.map(({ name }) => name)).toEqual(["drv-exec-1", "drv-exec-2"]);
  await scene.inCluster(["drv-exec-1", "drv-exec-2"]);
  question.answer();
  await scene.inCluster([]);
});

test("while the recorder is away for long, no pod waits", async () => {
  const scene = await heldScene();
  const { client, driver, clock, recorder } = scene;
  await scene.end(await scene.run([1, 2]));
  await client.delete(driver.path("pods", "drv-exec-1"));
  (await scene.question()).fail();
  await clock.advance(30_000);
  (await scene.question()).fail();
  await scene.inCluster(["drv-exec-2"]);
  await client.delete(driver.path("pods", "drv-exec-2"));
  await scene.inCluster([]);
  expect(recorder.requests).toHaveLength(2);
});

test("of a whole application, what runs goes at once, and what has ended later, each with one request", async () => {
  const scene = await heldScene();
  const { client, driver } = scene;
  const executors = await scene.run([1, 2, 3, 4]);
  await scene.end(executors.slice(0, 3));
  const removed = await client.delete(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`);
  expect(names(removed)).toHaveLength(4);
  const question = await scene.question();
  expect(question.pods.map(({ name }) => name).toSorted()).toEqual(["drv-exec-1", "drv-exec-2", "drv-exec-3"]);
  await scene.inCluster(["drv-exec-1", "drv-exec-2", "drv-exec-3"]);
  expect(scene.deletions()).toEqual([NOT_OVER]);
  question.answer();
  await scene.inCluster([]);
  expect(scene.deletions()).toEqual([NOT_OVER, OVER]);
});

test("a later deletion of the whole application leaves what is held", async () => {
  const scene = await heldScene();
  const { client, driver } = scene;
  const executors = await scene.run([1, 2]);
  await scene.end(executors.slice(0, 1));
  await client.delete(driver.path("pods", "drv-exec-1"));
  const question = await scene.question();
  await client.delete(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`);
  await scene.inCluster(["drv-exec-1"]);
  question.answer();
  await scene.inCluster([]);
  expect(scene.deletions()).toEqual(["/drv-exec-2", "/drv-exec-1"]);
});

test("executors of another driver with the same id are left alone, however late a deletion is", async () => {
  const scene = await heldScene();
  const { cluster, client, driver, gateway } = scene;
  await scene.end(await scene.run([1, 2]));
  await client.delete(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`);
  const question = await scene.question();
  const other = await FakeDriver.run(cluster, "other", { app: driver.app });
  // The gateway's watch shows it the driver in a moment.
  await eventually(async () => {
    expect((await other.at(gateway).post(other.path("pods"), other.executor(9))).status).toBe(201);
  });
  const executor = await cluster.inPhase(await other.made("other-exec-9"), "Running");
  cluster.end(executor, 0);
  await cluster.inPhase(executor, "Succeeded");
  await eventually(async () => {
    const { body } = await other.at(gateway).get(other.path("pods", "other-exec-9"));
    expect(body).toMatchObject({ status: { phase: "Succeeded" } });
  });
  question.answer();
  await scene.inCluster([]);
  expect(await other.executorsInCluster()).toEqual(["other-exec-9"]);
});

test("an executor that runs is deleted when the recorder follows its log", async () => {
  const scene = await heldScene("unanswered");
  const { client, driver } = scene;
  const [executor] = await scene.run([1]);
  const deletion = client.delete(driver.path("pods", "drv-exec-1"));
  const question = await scene.question();
  expect(question.pods).toEqual([{ namespace: "spark-jobs", name: "drv-exec-1", uid: uid(executor), running: true }]);
  expect(scene.deletions()).toEqual([]);
  question.answer();
  expect((await deletion).status).toBe(200);
  await scene.inCluster([]);
});

test("with a recorder that hangs, an executor that runs is deleted after a second", async () => {
  const scene = await heldScene("unanswered");
  const { client, driver, clock } = scene;
  await scene.run([1, 2]);
  const deletion = client.delete(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`);
  const question = await scene.question();
  expect(question.pods.map(({ name }) => name).toSorted()).toEqual(["drv-exec-1", "drv-exec-2"]);
  await clock.advance(900);
  expect(scene.deletions()).toEqual([]);
  await clock.advance(100);
  expect((await deletion).status).toBe(200);
  await scene.inCluster([]);
});

test("an executor whose Spark has ended beside a sidecar has ended", async () => {
  const scene = await heldScene();
  const { cluster, client, driver } = scene;
  const containers = ["spark-kubernetes-executor", "proxy"].map((name) => ({ name, image: "spark" }));
  const [executor] = await scene.run([1], { containers });
  await scene.run([2]);
  if (executor !== undefined) cluster.end(executor, 0, "Completed", "spark-kubernetes-executor");
  await eventually(async () => {
    const { body } = await client.get(driver.path("pods", "drv-exec-1"));
    expect(JSON.stringify(body)).toContain("terminated");
  });
  await client.delete(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`);
  const question = await scene.question();
  await scene.inCluster(["drv-exec-1"]);
  question.answer();
  await scene.inCluster([]);
  expect(scene.deletions()).toEqual(["/drv-exec-2", "/drv-exec-1"]);
});

test("a gateway that is stopped deletes what it holds", async () => {
  const scene = await heldScene();
  const { client, driver, gateway } = scene;
  await scene.end(await scene.run([1, 2]));
  await client.delete(driver.path("pods", "drv-exec-1"));
  await client.delete(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`);
  await scene.question();
  await gateway.stop();
  expect(await driver.executorsInCluster()).toEqual([]);
});

test("a deletion that fails is tried again, and the log says so", async () => {
  const scene = await heldScene();
  const { cluster, client, driver, gateway } = scene;
  await scene.end(await scene.run([1]));
  let faults = 0;
  cluster.api.fault = ({ method }) =>
    method === "DELETE" && faults++ < 1 ? { kind: "status", status: 403, reason: "Forbidden" } : undefined;
  await client.delete(driver.path("pods", "drv-exec-1"));
  (await scene.question()).answer();
  await scene.inCluster([]);
  expect(gateway.lines.join("")).toContain("the pod of an ended executor cannot be deleted, and it is tried again");
  expect(await scene.seen()).toEqual([]);
});
