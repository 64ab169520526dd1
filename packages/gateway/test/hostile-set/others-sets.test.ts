import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { StatefulSet } from "kubernetes-types/apps/v1.js";
import type { Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { FakeDriver, names, SET_KINDS } from "../support/fake-driver.ts";
import { PODS, restartable, runs, submit } from "../support/restartable.ts";
import { startTestGateway } from "../support/test-gateway.ts";

const SOON = { settings: ["--executors-orphan-grace", "1s"] };

function pathOf(driver: FakeDriver, plural: string, name: string): string {
  return `/apis/apps/v1/namespaces/${driver.namespace}/${plural}/${name}`;
}

async function fails(cluster: TestCluster, driver: FakeDriver): Promise<void> {
  const status = { ...driver.pod.status, phase: "Failed" };
  await cluster.send("PATCH", `${driver.path("pods", driver.pod.metadata?.name)}/status`, { status });
}

/** The marks of a set's pods. */
function marks(set: string, driver: string): Record<string, string> {
  return { "gateway.kindling/set": set, "gateway.kindling/driver": driver, "gateway.kindling/uid": "known" };
}

/** An executor in the cluster, as a gateway that trusts drivers would create it. */
async function makeMarked(cluster: TestCluster, driver: FakeDriver, annotations: Record<string, string>): Promise<Pod> {
  const { metadata, ...executor } = driver.executor(1);
  const pod = { ...executor, metadata: { ...metadata, annotations } };
  return (await cluster.send("POST", driver.path("pods"), pod)) as Pod;
}

describe.each(SET_KINDS)("a %s of another application", (kind, plural) => {
  test("stays, whatever a driver that ends says of it on its executors", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster, SOON);
    const victim = await FakeDriver.run(cluster, "victim");
    const hostile = await FakeDriver.run(cluster, "hostile");
    const sets = `/apis/apps/v1/namespaces/${victim.namespace}/${plural}`;
    expect((await victim.at(gateway).post(sets, victim.setOf(kind))).status).toBe(201);
    const path = pathOf(victim, plural, victim.setName(kind));
    const before = (await cluster.send("GET", path)) as StatefulSet;
    const annotations = marks(`${plural}/${victim.setName(kind)}`, victim.uid);
    const { metadata, ...executor } = hostile.executor(2);
    const posted = await hostile
      .at(gateway)
      .post(hostile.path("pods"), { ...executor, metadata: { ...metadata, annotations } });
    expect(posted.text).toContain("which is the gateway's own");
    await makeMarked(cluster, hostile, annotations);
    await fails(cluster, hostile);
    await eventually(async () => expect(await hostile.executorsInCluster()).toEqual([]));
    const after = (await cluster.send("GET", path)) as StatefulSet;
    expect(after.metadata?.uid).toBe(before.metadata?.uid);
    expect(after.metadata?.deletionTimestamp).toBeUndefined();
    expect(names(await victim.at(gateway).get(victim.path("pods")))).toHaveLength(3);
  });
});

describe("an executor that says it is of a set that is not there", () => {
  test("goes when its driver has failed", async () => {
    const cluster = await TestCluster.start();
    await startTestGateway(cluster, SOON);
    const driver = await FakeDriver.run(cluster, "drv");
    await makeMarked(cluster, driver, marks("statefulsets/none", driver.uid));
    await fails(cluster, driver);
    await eventually(async () => expect(await driver.executorsInCluster()).toEqual([]));
  });

  test("does not keep its driver from being started again", async () => {
    const cluster = await TestCluster.start();
    await startTestGateway(cluster);
    const pod = await submit(cluster, restartable());
    const driver = await FakeDriver.of(cluster, pod, "spark-stream");
    await makeMarked(cluster, driver, marks("statefulsets/none", driver.uid));
    cluster.end(pod, 1);
    await runs(cluster, 1);
    await eventually(async () => {
      const pods = (await cluster.send("GET", PODS)) as { readonly items: Pod[] };
      expect(pods.items.map(({ metadata }) => metadata?.name)).toEqual(["drv"]);
    });
  });
});

test.each(SET_KINDS)("executors of a %s do not outlive it as nobody's", async (kind, plural) => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, SOON);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  await client.post(`/apis/apps/v1/namespaces/${driver.namespace}/${plural}`, driver.setOf(kind));
  const path = pathOf(driver, plural, driver.setName(kind));
  await eventually(async () => expect(names(await client.get(driver.path("pods")))).toHaveLength(3));
  expect((await client.delete(path, { propagationPolicy: "Orphan" })).status).toBe(400);
  await cluster.send("GET", path);
  // Somebody else can do that to a set; then its pods belong to no driver.
  if (kind === "Deployment") return;
  await cluster.send("DELETE", path, { propagationPolicy: "Orphan" });
  await eventually(async () => {
    expect((await cluster.objects<Pod>("Pod")).map(({ metadata }) => metadata?.name)).toEqual(["drv"]);
  });
});
