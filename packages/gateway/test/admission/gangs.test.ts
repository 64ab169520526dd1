import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod } from "@kindling/test-kit/a-pod";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { FakeApplication } from "../support/fake-application.ts";
import { startTestGateway } from "../support/test-gateway.ts";

const NODES = [
  { name: "one", cpu: "4" },
  { name: "two", cpu: "4" },
];

test("ten applications that want five times what there is all come to their end", async () => {
  const cluster = await TestCluster.start({ nodes: NODES });
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "nodes"] });
  const names = Array.from({ length: 10 }, (_, index) => `app-${index}`);
  // Each has a driver and three executors: 40 CPUs in all, but there are only 8.
  const applications = await Promise.all(
    names.map((name) => FakeApplication.submit(cluster, gateway, name, { executors: 3 })),
  );
  await Promise.all(applications.map((application) => application.runToItsEnd()));
  await eventually(() => expect(gateway.overview().applications).toEqual([]));
}, 180_000);

test("a driver waits behind its gate until there is room for its executors too, and the pods of others take room", async () => {
  const cluster = await TestCluster.start({ nodes: [{ name: "one", cpu: "4" }] });
  const other = await cluster.createPod(aPod("other").in("elsewhere").requests({ cpu: "1500m" }).build());
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "nodes"] });
  const application = await FakeApplication.submit(cluster, gateway, "app", { executors: 2 });
  const small = await FakeApplication.submit(cluster, gateway, "small", { executors: 1 });
  await small.started();
  expect(await application.isGated()).toBe(true);
  await small.ask(1);
  await small.hasRunning(1);
  await cluster.delete(other, { gracePeriodSeconds: 0 });
  expect(await application.isGated()).toBe(true);
  await small.finish();
  await application.runToItsEnd();
});
