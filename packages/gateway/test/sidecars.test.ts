import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeApplication } from "./support/fake-application.ts";
import { FakeDriver } from "./support/fake-driver.ts";
import { PODS, restartable, runs, submit } from "./support/restartable.ts";
import { startTestGateway } from "./support/test-gateway.ts";

const SPARK = "spark-kubernetes-driver";

test("an application ends with Spark's container, whatever sidecars run on: its room in the queue is free, and it is served no longer", async () => {
  const cluster = await TestCluster.start();
  const settings = ["--capacity", "cpu=4", "--executors-orphan-grace", "1s"];
  const gateway = await startTestGateway(cluster, { settings });
  const first = await FakeApplication.submit(cluster, gateway, "first", { sidecars: ["proxy"], executors: 1 });
  await first.started();
  await first.ask(2);
  await first.hasRunning(2);
  const second = await FakeApplication.submit(cluster, gateway, "second", { executors: 2 });
  await eventually(() => expect(gateway.overview().applications).toHaveLength(2));
  expect(await second.isGated()).toBe(true);

  cluster.end(first.driver.pod, 1, "Error", SPARK);

  await second.started();
  await second.ask(2);
  await second.hasRunning(2);
  expect(gateway.overview().applications.map(({ name, state }) => ({ name, state }))).toEqual([
    { name: "spark-second", state: "Running" },
  ]);
  expect((await first.pod()).status?.phase).toBe("Running");
  await eventually(async () => expect(await first.driver.executorsInCluster()).toEqual([]));
  // With a token that the sidecar may have, too.
  const { driver } = first;
  expect(await driver.at(gateway).post(driver.path("pods"), driver.executor(9))).toMatchObject({ status: 403 });

  // The next gateway finds the same.
  await gateway.stop();
  const next = await startTestGateway(cluster, { settings });
  await eventually(() => expect(next.overview().applications.map(({ name }) => name)).toEqual(["spark-second"]));
});

test("on its node, a pod whose sidecar runs on has its room until it ends", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "nodes"] });
  const application = await FakeApplication.submit(cluster, gateway, "app", { sidecars: ["proxy"], cpu: 3 });
  await application.started();
  await eventually(() => expect(gateway.overview().capacity).toMatchObject({ used: { cpu: 6000 } }));
  cluster.end(application.driver.pod, 0, "Completed", SPARK);
  await eventually(() => {
    expect(gateway.overview()).toMatchObject({ applications: [], capacity: { usedByOthers: { cpu: 6000 } } });
  });
  cluster.end(application.driver.pod, 0);
  await eventually(() => expect(gateway.overview().capacity.usedByOthers["cpu"] ?? 0).toBe(0));
});

test.each([
  ["a label or an annotation", { metadata: { annotations: { "kubectl.kubernetes.io/default-container": "proxy" } } }],
  ["the end of a sidecar", {}],
])("%s ends no application", async (_, change) => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const application = await FakeApplication.submit(cluster, gateway, "app", { sidecars: ["proxy"] });
  await application.started();
  await cluster.send("PATCH", application.driver.path("pods", "app"), change);
  cluster.end(application.driver.pod, 0, "Completed", "proxy");
  await eventually(async () => {
    const { status } = await application.pod();
    expect(status?.containerStatuses?.filter(({ state }) => state?.terminated !== undefined)).toHaveLength(1);
  });
  await application.ask(1);
  await application.hasRunning(1);
  expect(gateway.overview().applications).toMatchObject([{ state: "Running" }]);
});

test("Spark's container is known by what Spark sets in it, if a template calls it otherwise", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const env = [{ name: "SPARK_DRIVER_BIND_ADDRESS", value: "10.0.0.1" }];
  const containers = [
    { name: "main", image: "spark", env },
    { name: "proxy", image: "proxy" },
  ];
  const driver = await FakeDriver.run(cluster, "drv", { spec: { containers } });
  expect((await driver.at(gateway).get(driver.path("pods"))).status).toBe(200);
  cluster.end(driver.pod, 0, "Completed", "main");
  await eventually(async () => expect((await driver.at(gateway).get(driver.path("pods"))).status).toBe(403));
});

test("a container that is started again, or that nobody knows to be Spark's, ends no application", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const proxy = { name: "proxy", image: "proxy" };
  const again = await FakeDriver.run(cluster, "again", {
    spec: { restartPolicy: "Always", containers: [{ name: SPARK, image: "spark" }, proxy] },
  });
  const nameless = await FakeDriver.run(cluster, "nameless", {
    spec: { containers: [{ name: "main", image: "spark" }, proxy] },
  });
  cluster.end(again.pod, 0, "Completed", SPARK);
  cluster.end(nameless.pod, 0, "Completed", "proxy");
  await eventually(async () => {
    const pods = (await Promise.all(
      [again, nameless].map((one) => cluster.send("GET", one.path("pods", one.pod.metadata?.name ?? ""))),
    )) as Pod[];
    const hasNews = ({ status }: Pod): boolean =>
      (status?.containerStatuses ?? []).some(({ state, restartCount }) => restartCount > 0 || state?.terminated);
    expect(pods.map(hasNews)).toEqual([true, true]);
  });
  for (const driver of [again, nameless]) {
    expect((await driver.at(gateway).get(driver.path("pods"))).status).toBe(200);
  }
});

test("a driver is started again when Spark has failed, and not when a sidecar has", async () => {
  const cluster = await TestCluster.start();
  await startTestGateway(cluster);
  const first = await submit(cluster, restartable().container("proxy"));
  cluster.end(first, 1, "Error", SPARK);
  const second = await runs(cluster, 1);
  expect(second.metadata?.annotations?.["scheduler.kindling/last-end"]).toBe("exit code 1: Error");

  cluster.end(second, 0, "Completed", SPARK);
  cluster.end(second, 2, "Error", "proxy");
  await eventually(async () => {
    const { metadata, status } = (await cluster.send("GET", `${PODS}/drv`)) as Pod;
    expect({ uid: metadata?.uid, phase: status?.phase, held: metadata?.finalizers ?? [] }).toEqual({
      ...{ uid: second.metadata?.uid, phase: "Failed" },
      held: [],
    });
  });
});
