import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { FakeApplication } from "../../support/fake-application.ts";
import { KUEUE, QuotaOfKueue, type QuotaOptions } from "../../support/kueue.ts";
import { startTestGateway, type TestGateway } from "../../support/test-gateway.ts";

interface Setting {
  readonly cluster: TestCluster;
  readonly kueue: QuotaOfKueue;
  readonly gateway: TestGateway;
}

async function withKueue(quota: QuotaOptions, settings: readonly string[] = ["--capacity", "kueue"]): Promise<Setting> {
  const cluster = await TestCluster.start({ definitions: KUEUE });
  const kueue = await QuotaOfKueue.start(cluster, quota);
  return { cluster, kueue, gateway: await startTestGateway(cluster, { settings }) };
}

async function executorsIn(cluster: TestCluster): Promise<readonly Pod[]> {
  return (await cluster.objects<Pod>("Pod")).filter(({ metadata }) => metadata?.name?.includes("-exec-"));
}

describe("quota", () => {
  test("as many executors run as there is quota for, and the others stay virtual", async () => {
    const { cluster, kueue, gateway } = await withKueue({ cpu: 9 });
    const app = await FakeApplication.submit(cluster, gateway, "app", { executors: 1 });
    await app.started();
    await app.ask(20);
    await app.hasRunning(8);
    await eventually(async () => expect((await kueue.total()).waiting).toBe(12));
    expect(await executorsIn(cluster)).toHaveLength(8);
    expect(await app.executors()).toHaveLength(20);
    await eventually(() => {
      const [overview] = gateway.overview().applications;
      expect(overview).toMatchObject({ queue: "kueue:default", executors: { waiting: 12, running: 8 } });
      expect(overview?.waits.join()).toContain("12 executors: waiting in LocalQueue default of Kueue (couldn't assign");
    });

    kueue.cpu = 21;
    await app.hasRunning(20);
    await app.finish();
    await eventually(async () => expect(await kueue.summary()).toEqual({ "app-core": "finished" }));
  });

  test("a driver starts when there is quota for it and its minimum executors", async () => {
    const { cluster, kueue, gateway } = await withKueue({ cpu: 3 });
    const app = await FakeApplication.submit(cluster, gateway, "app", { executors: 3 });
    await eventually(async () => expect(await kueue.summary()).toEqual({ "app-core": "waits for 4" }));
    await eventually(() =>
      expect(gateway.overview().applications[0]?.waits.join()).toContain("insufficient unused quota"),
    );
    expect(await app.isGated()).toBe(true);
    kueue.cpu = 4;
    await app.started();
    await app.ask(3);
    await app.hasRunning(3);
    expect(await kueue.summary()).toEqual({ "app-core": "has 4" });
  });

  test("is given back when executors are not wanted any more", async () => {
    const { cluster, kueue, gateway } = await withKueue({ cpu: 20 });
    const app = await FakeApplication.submit(cluster, gateway, "app", { executors: 1 });
    await app.started();
    await app.ask(10);
    await app.hasRunning(10);
    await app.release(6);
    await eventually(async () => expect(await kueue.total()).toEqual({ had: 5, waiting: 0 }));
    await app.release(4);
    // The minimum executors keep theirs.
    await eventually(async () => expect(await kueue.summary()).toEqual({ "app-core": "has 2" }));
    await app.ask(3);
    await app.hasRunning(3);
  });

  test("of a Workload that somebody deletes is asked for again, and its executors run on", async () => {
    const { cluster, kueue, gateway } = await withKueue({ cpu: 20 });
    const app = await FakeApplication.submit(cluster, gateway, "app", { executors: 2 });
    await app.started();
    await app.ask(5);
    await app.hasRunning(5);
    const before = (await executorsIn(cluster)).map(({ metadata }) => metadata?.uid);
    for (const { metadata } of await kueue.workloads()) await kueue.finish(metadata.name);
    await eventually(async () => expect(await kueue.total()).toEqual({ had: 6, waiting: 0 }));
    expect((await executorsIn(cluster)).map(({ metadata }) => metadata?.uid)).toEqual(before);
  });
});

describe("when Kueue takes quota back", () => {
  test("surplus executors leave, and others come when there is quota again", async () => {
    const { cluster, kueue, gateway } = await withKueue({ cpu: 9 });
    const app = await FakeApplication.submit(cluster, gateway, "app", { executors: 2, isDecommissioned: true });
    await app.started();
    await app.ask(8);
    await app.hasRunning(8);
    await kueue.job("urgent", 4, 100);
    await eventually(async () => expect((await kueue.summary())["urgent"]).toBe("has 4"));
    const left = await app.running();
    expect(left).toBeGreaterThanOrEqual(2);
    expect(left).toBeLessThanOrEqual(4);
    await app.ask(8 - left);
    await app.hasRunning(4);
    await kueue.finish("urgent");
    await app.hasRunning(8);
    await eventually(async () => {
      const events = (await cluster.send("GET", "/api/v1/namespaces/spark-jobs/events")) as {
        readonly items: readonly { readonly message: string }[];
      };
      const words = events.items.map(({ message }) => message).join();
      expect(words).toContain("because Kueue takes back its quota: Preempted to accommodate a workload");
    });
  });

  test("a driver that waits goes on waiting", async () => {
    const { cluster, kueue, gateway } = await withKueue({ cpu: 2 });
    kueue.isOn = false;
    const app = await FakeApplication.submit(cluster, gateway, "app", { executors: 1 });
    const [core] = await eventually(async () => {
      const all = await kueue.workloads();
      expect(all).toHaveLength(1);
      return all;
    });
    await kueue.admitAndEvict(core?.metadata.name ?? "");
    await eventually(async () => expect(await kueue.summary()).toEqual({ "app-core": "waits for 2" }));
    expect(await app.isGated()).toBe(true);
    kueue.isOn = true;
    await app.started();
  });

  test("an application ends whose driver has to go, and starts again when there is quota again", async () => {
    const { cluster, kueue, gateway } = await withKueue({ cpu: 4 });
    const app = await FakeApplication.submit(cluster, gateway, "app", { executors: 1, backoffSeconds: 1 });
    await app.started();
    await app.ask(3);
    await app.hasRunning(3);
    const { metadata } = await app.pod();
    await kueue.job("urgent", 4, 100);
    await eventually(async () => expect((await kueue.summary())["urgent"]).toBe("has 4"));
    await eventually(async () => expect((await app.pod()).metadata?.uid).not.toBe(metadata?.uid));
    expect(await app.isGated()).toBe(true);
    expect(await executorsIn(cluster)).toEqual([]);
    await eventually(async () => expect(await kueue.summary()).toEqual({ "app-core": "waits for 2", urgent: "has 4" }));
    await kueue.finish("urgent");
    await eventually(async () => expect(await app.isGated()).toBe(false));
  });
});

test("an application whose Workload somebody deactivates ends for good", async () => {
  const { cluster, kueue, gateway } = await withKueue({ cpu: 4 });
  const app = await FakeApplication.submit(cluster, gateway, "app", { executors: 1 });
  await app.started();
  const [core] = await kueue.workloads();
  kueue.isOn = false;
  await kueue.evict(core?.metadata.name ?? "", "Deactivated");
  await eventually(async () => expect(await cluster.objects<Pod>("Pod")).toEqual([]));
  await eventually(async () => expect(await kueue.workloads()).toEqual([]));
});

test("pods are on the nodes of their ResourceFlavor, and without the labels for which Kueue would count them again", async () => {
  const spec = {
    nodeLabels: { pool: "spark" },
    tolerations: [{ key: "spark", operator: "Exists", effect: "NoSchedule" }],
  };
  const cluster = await TestCluster.start({
    definitions: KUEUE,
    nodes: [
      { name: "plain", cpu: "20" },
      {
        name: "spark",
        cpu: "20",
        labels: { pool: "spark" },
        taints: [{ key: "spark", value: "", effect: "NoSchedule" }],
      },
    ],
  });
  const kueue = await QuotaOfKueue.start(cluster, { cpu: 9, flavor: { name: "spark-nodes", spec } });
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "kueue"] });
  const app = await FakeApplication.submit(cluster, gateway, "app", {
    executors: 1,
    labels: { "kueue.x-k8s.io/queue-name": "team" },
  });
  await app.started();
  await app.ask(3);
  await app.hasRunning(3);
  expect((await app.pod()).spec?.nodeName).toBe("spark");
  for (const { metadata, spec: made } of await executorsIn(cluster)) {
    expect(made?.nodeName).toBe("spark");
    expect(Object.keys(metadata?.labels ?? {}).filter((name) => name.startsWith("kueue"))).toEqual([]);
  }
  expect((await kueue.workloads()).map((one) => (one["spec"] as { queueName: string }).queueName)).toContain("team");
});

test("a gate that cannot be opened at first is opened later", async () => {
  const { cluster, gateway } = await withKueue({ cpu: 4 });
  let refusals = 0;
  cluster.api.fault = ({ method, path }) =>
    method === "PATCH" && path.endsWith("/pods/app") && refusals++ === 0 ? { kind: "status", status: 403 } : undefined;
  const app = await FakeApplication.submit(cluster, gateway, "app");
  await app.started();
  expect(refusals).toBeGreaterThan(1);
});

test("with kueue.enabled, only applications that name a LocalQueue wait there", async () => {
  const { cluster, kueue, gateway } = await withKueue({ cpu: 1 }, ["--capacity", "cpu=4", "--kueue-enabled", "true"]);
  const labels = { "scheduler.kindling/kueue-queue": "team" };
  const elsewhere = await FakeApplication.submit(cluster, gateway, "elsewhere", { executors: 1, labels });
  const here = await FakeApplication.submit(cluster, gateway, "here", { executors: 1 });
  await here.started();
  expect(await elsewhere.isGated()).toBe(true);
  expect(await kueue.summary()).toEqual({ "elsewhere-core": "waits for 2" });
  kueue.cpu = 2;
  await elsewhere.started();
  await Promise.all([elsewhere.ask(1), here.ask(3)]);
  await Promise.all([elsewhere.hasRunning(1), here.hasRunning(3)]);
});

test("without Kueue in the cluster, applications wait and say so", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "kueue"] });
  const app = await FakeApplication.submit(cluster, gateway, "app", { executors: 1 });
  await eventually(() =>
    expect(gateway.overview().applications[0]?.waits).toEqual([
      "waiting in LocalQueue default of Kueue (Kueue is not installed in this cluster)",
    ]),
  );
  expect(await app.isGated()).toBe(true);
});
