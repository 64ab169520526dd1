import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { expect, test } from "vitest";
import { FakeApplication } from "../support/fake-application.ts";
import { startTestGateway } from "../support/test-gateway.ts";

function deletes(cluster: TestCluster): { readonly path: string; readonly body: unknown }[] {
  return cluster.api.writes.filter(({ method }) => method === "DELETE").map(({ path, body }) => ({ path, body }));
}

test("surplus executors are asked to leave, with time to go, for the sake of an application that cannot start", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, {
    settings: ["--capacity", "cpu=6", "--queues-preemption-grace", "5min"],
  });
  const greedy = await FakeApplication.submit(cluster, gateway, "greedy", { executors: 1, isDecommissioned: true });
  await greedy.started();
  await greedy.ask(5);
  await greedy.hasRunning(5);
  const modest = await FakeApplication.submit(cluster, gateway, "modest", { executors: 1 });
  await modest.started();
  await modest.ask(1);
  await modest.hasRunning(1);
  expect(await greedy.running()).toBe(3);
  const asked = deletes(cluster);
  expect(asked).toHaveLength(2);
  for (const { path, body } of asked) {
    expect(path).toMatch(/\/pods\/greedy-exec-\d$/);
    expect(body).toMatchObject({ gracePeriodSeconds: 300 });
  }
  // The executors that it asks for instead wait.
  await greedy.ask(2);
  const application = gateway.overview().applications.find(({ id }) => id === "spark-greedy");
  expect(application).toMatchObject({ executors: { waiting: 2, running: 3 } });
});

test.each([
  ["preemption is off", ["--queues-preemption", "false"], true],
  ["executors would lose their work", [], false],
] as const)("nobody is asked to leave where %s", async (_, settings, isDecommissioned) => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "cpu=6", ...settings] });
  const greedy = await FakeApplication.submit(cluster, gateway, "greedy", { executors: 1, isDecommissioned });
  await greedy.started();
  await greedy.ask(5);
  await greedy.hasRunning(5);
  const modest = await FakeApplication.submit(cluster, gateway, "modest", { executors: 1 });
  const waitsOf = (wanted: string): readonly string[] | undefined =>
    gateway.overview().applications.find(({ id }) => id === wanted)?.waits;
  await expect.poll(() => waitsOf("spark-modest")).toHaveLength(1);
  expect(await modest.isGated()).toBe(true);
  expect(deletes(cluster)).toEqual([]);
});
