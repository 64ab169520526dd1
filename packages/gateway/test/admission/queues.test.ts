import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { scratchFolder, type ScratchFolder } from "@kindling/test-kit/scratch-folder";
import type { Event } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeApplication } from "../support/fake-application.ts";
import { startTestGateway } from "../support/test-gateway.ts";

const TWO_TO_ONE = `
queues:
  - name: etl
    weight: 2
  - name: adhoc
`;

/** What the gateway has written about its driver. */
async function messagesOf(cluster: TestCluster, application: FakeApplication): Promise<string[]> {
  const { items } = (await cluster.send("GET", application.driver.path("events"))) as { readonly items: Event[] };
  const own = items.filter(
    ({ involvedObject, source }) =>
      involvedObject.uid === application.driver.uid && source?.component === "kindling-gateway",
  );
  return own.map(({ message }) => message ?? "");
}

function queuesFile(text: string): { readonly folder: ScratchFolder; readonly settings: readonly string[] } {
  const folder = scratchFolder();
  const file = folder.write("queues.yaml", text);
  return { folder, settings: ["--queues-file", file, "--queues-reload-interval", "1s"] };
}

test("queues share by their weights", async () => {
  const { settings } = queuesFile(TWO_TO_ONE);
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: [...settings, "--capacity", "cpu=14"] });
  const etl = await FakeApplication.submit(cluster, gateway, "etl-app", { queue: "etl", executors: 1 });
  const adhoc = await FakeApplication.submit(cluster, gateway, "adhoc-app", { queue: "adhoc", executors: 1 });
  await Promise.all([etl.started(), adhoc.started()]);
  // Both have drivers, and room for their minimum is kept: 10 of 14 are left, and each wants more.
  await Promise.all([etl.ask(1), adhoc.ask(1)]);
  await Promise.all([etl.hasRunning(1), adhoc.hasRunning(1)]);
  await Promise.all([etl.ask(20), adhoc.ask(20)]);
  await eventually(async () => {
    const [ofEtl, ofAdhoc] = [await etl.running(), await adhoc.running()];
    expect(ofEtl + ofAdhoc).toBe(12);
  });
  await eventually(() => {
    const used = gateway.overview().queues.map(({ path, used: { cpu = 0 } }) => [path, cpu / 1000]);
    expect(used.map(([, cpu]) => cpu).reduce<number>((sum, cpu) => sum + Number(cpu), 0)).toBe(14);
  });
  // The reason is written after the round, and changed words are written again only after some seconds.
  await eventually(async () => {
    const waiting = (await adhoc.executors()).find(({ status }) => status?.phase === "Pending");
    expect(waiting?.status?.conditions).toMatchObject([
      { reason: "AwaitingAdmission", message: expect.stringMatching(/^waiting for 1 CPU in queue adhoc/) as string },
    ]);
  });
});

test("a queue has no more than its ceiling, and gets more when the file says so; a wrong file is refused with its line", async () => {
  const withCeiling = (cpu: string): string => `queues:\n  - name: default\n    ceiling: { cpu: ${cpu} }\n`;
  const { folder, settings } = queuesFile(withCeiling("3"));
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings });
  const application = await FakeApplication.submit(cluster, gateway, "app");
  await application.started();
  await application.ask(5);
  await application.hasRunning(2);
  const waits = ["waiting for 1 CPU in queue default: the ceiling of queue default is reached"];
  await eventually(() => expect(gateway.overview().applications).toMatchObject([{ waits }]));

  folder.write("queues.yaml", withCeiling("lots"));
  await eventually(() => expect(gateway.lines.join("")).toMatch(/queues\.yaml:3: ceiling of cpu is not an amount/));
  expect(gateway.overview().queues).toMatchObject([{ path: "default", ceiling: { cpu: 3000 } }]);
  const metrics = await (await fetch(new URL("metrics", gateway.adminUri))).text();
  expect(metrics).toContain('gateway_queues_reloads_total{outcome="refused"} 1');
  expect(await application.running()).toBe(2);

  folder.write("queues.yaml", withCeiling("5"));
  await application.hasRunning(4);
});

test("a driver whose queue is not there waits at its gate, and an event says so; once there is the queue, it starts", async () => {
  const { folder, settings } = queuesFile(TWO_TO_ONE);
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings });
  const lost = await FakeApplication.submit(cluster, gateway, "lost", { queue: "nightly" });
  const unnamed = await FakeApplication.submit(cluster, gateway, "unnamed");
  const etl = await FakeApplication.submit(cluster, gateway, "etl", { queue: "etl" });
  await etl.started();
  await eventually(async () => {
    expect(await messagesOf(cluster, lost)).toEqual([
      "there is no queue nightly that applications can be in: name another with spark.kindling.scheduler.queue, or add it",
    ]);
  });
  expect(await lost.isGated()).toBe(true);
  folder.write("queues.yaml", `${TWO_TO_ONE}  - name: nightly\n  - name: default\n`);
  await Promise.all([lost.started(), unnamed.started()]);
});

test("what a ResourceQuota does not leave room for waits, and is not tried", async () => {
  const cluster = await TestCluster.start();
  const quota = (cpu: string): object => ({ metadata: { name: "small" }, spec: { hard: { "requests.cpu": cpu } } });
  const path = "/api/v1/namespaces/spark-jobs/resourcequotas";
  await cluster.send("POST", path, quota("3"));
  await eventually(async () => {
    expect(await cluster.send("GET", `${path}/small`)).toMatchObject({ status: { used: { "requests.cpu": "0" } } });
  });
  const gateway = await startTestGateway(cluster);
  const application = await FakeApplication.submit(cluster, gateway, "app", { executors: 1 });
  await application.started();
  await application.ask(4);
  await application.hasRunning(2);
  const waits = ["waiting for room in ResourceQuota small of its namespace, in queue default"];
  await eventually(() => expect(gateway.overview().applications).toMatchObject([{ waits }]));
  const creates = cluster.api.writes.filter(({ method, path: asked }) => method === "POST" && asked.endsWith("/pods"));
  expect(creates).toHaveLength(2);
  await cluster.send("PATCH", `${path}/small`, { spec: { hard: { "requests.cpu": "5" } } });
  await application.hasRunning(4);
});

test("an event tells why a driver waits; it is one, and changes with the reason", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "cpu=3"] });
  const first = await FakeApplication.submit(cluster, gateway, "first", { executors: 2 });
  await first.started();
  // Without a priority, drivers of the same second are in any order.
  const second = await FakeApplication.submit(cluster, gateway, "second", { executors: 1, priority: 1 });
  const third = await FakeApplication.submit(cluster, gateway, "third", { executors: 1 });
  const told = async (): Promise<string[]> => [
    ...(await messagesOf(cluster, second)),
    ...(await messagesOf(cluster, third)),
  ];
  await eventually(async () => {
    expect(await told()).toEqual([
      "waiting for 2 CPUs in queue default",
      "waiting for 2 CPUs in queue default; ahead: 1 application",
    ]);
  });
  await first.ask(2);
  await first.hasRunning(2);
  await first.finish();
  await Promise.all([second.runToItsEnd(), third.runToItsEnd()]);
  expect(await told()).toHaveLength(2);
});
