import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { expect, test } from "vitest";
import { FakeApplication } from "../support/fake-application.ts";
import { startTestGateway } from "../support/test-gateway.ts";
import { eventsOf } from "./events-of.ts";

function queuesFile(text: string): readonly string[] {
  return ["--queues-file", scratchFolder().write("queues.yaml", text)];
}

/** A namespace in which drivers can run. */
async function makeNamespace(cluster: TestCluster, name: string, labels: Record<string, string> = {}): Promise<void> {
  await cluster.send("POST", "/api/v1/namespaces", { metadata: { name, labels } });
  await cluster.send("POST", `/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: "spark" } });
}

test("a driver that names another team's queue waits at its gate, is told which it may name, and counts nowhere in that queue", async () => {
  const settings = queuesFile(
    "queues:\n  - { name: etl, namespaces: [etl-*], children: [{ name: daily }] }\n  - name: adhoc\n",
  );
  const cluster = await TestCluster.start();
  await makeNamespace(cluster, "etl-prod");
  const gateway = await startTestGateway(cluster, { settings });
  const intruder = await FakeApplication.submit(cluster, gateway, "intruder", { queue: "etl.daily", executors: 2 });
  const owner = await FakeApplication.submit(cluster, gateway, "owner", { queue: "etl.daily", namespace: "etl-prod" });
  await owner.started();
  await eventually(async () => {
    expect(await eventsOf(cluster, intruder)).toEqual([
      "its namespace may not use queue etl.daily: name one of adhoc with spark.kindling.scheduler.queue",
    ]);
  });
  expect(await intruder.isGated()).toBe(true);
  expect(gateway.overview().queues).toMatchObject([
    { path: "etl", namespaces: "etl-*" },
    { path: "etl.daily", applications: { SchedulingGated: 0, Running: 1 } },
    { path: "adhoc" },
  ]);
});

test("a queue's executors are not for a driver without a gate of a namespace that may not use it", async () => {
  const settings = queuesFile("queues:\n  - { name: default, namespaces: [etl] }\n");
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings });
  const intruder = await FakeApplication.submit(cluster, gateway, "intruder");
  await cluster.send("PATCH", intruder.driver.path("pods", intruder.name), { spec: { schedulingGates: null } });
  await intruder.started();
  await intruder.ask(2);
  await eventually(() => {
    const waits = [expect.stringMatching(/^its namespace may not use queue default: there is no queue/) as string];
    expect(gateway.overview().applications).toMatchObject([{ waits, executors: { waiting: 2, running: 0 } }]);
  });
});

test("a queue may select namespaces by their labels; one that gets the label may use it from then on", async () => {
  const settings = queuesFile(
    "queues:\n  - name: etl\n    namespaces: { matchLabels: { team: etl }, matchExpressions: [{ key: tier, operator: NotIn, values: [dev] }] }\n",
  );
  const cluster = await TestCluster.start();
  await makeNamespace(cluster, "night", { team: "other" });
  const gateway = await startTestGateway(cluster, { settings });
  const application = await FakeApplication.submit(cluster, gateway, "app", { queue: "etl", namespace: "night" });
  await eventually(async () => {
    expect(await eventsOf(cluster, application)).toEqual([
      expect.stringMatching(/^its namespace may not use queue etl: there is no queue that it may use/),
    ]);
  });
  await cluster.send("PATCH", "/api/v1/namespaces/night", { metadata: { labels: { team: "etl" } } });
  await application.started();
});

test("a priority outside a queue's range counts as the nearest inside, and an application that names none has the queue's", async () => {
  const settings = queuesFile(
    "queues:\n  - { name: default, priority: { min: -5, max: 10, default: 3 }, children: [{ name: low, priority: { max: 0 } }, { name: usual }] }\n",
  );
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings });
  const submit = (name: string, queue: string, priority?: number): Promise<FakeApplication> =>
    FakeApplication.submit(cluster, gateway, name, { queue: `default.${queue}`, priority });
  await submit("greedy", "usual", 900_000_000);
  await submit("meek", "usual", -100);
  await submit("silent", "usual");
  await submit("low", "low", 7);
  await eventually(() => {
    const found = gateway.overview().applications.map(({ driver, priority }) => [driver.pod, priority]);
    expect(Object.fromEntries(found)).toEqual({ greedy: 10, meek: -5, silent: 3, low: 0 });
  });
});
