import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import type { Event } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeApplication } from "../support/fake-application.ts";
import { startTestGateway, type TestGateway } from "../support/test-gateway.ts";
import { eventsOf } from "./events-of.ts";

const RIGHT = "queues:\n  - { name: etl, ceiling: { cpu: 4 } }\n  - name: default\n";
const WRONG = "queues:\n  - name: ETL!\n  - { name: default, ceiling: { cpu: 2 } }\n";

async function refusedMetric(gateway: TestGateway): Promise<string | undefined> {
  const metrics = await (await fetch(new URL("metrics", gateway.adminUri))).text();
  return /^gateway_queues_refused (\d)$/m.exec(metrics)?.[1];
}

const KEPT = ["--queues-kept-in", "kept-queues", "--leader-lease-namespace", "kindling"];

test("a gateway that starts with a wrong file serves, goes by the last file that was right, and says so", async () => {
  const folder = scratchFolder();
  const settings = ["--queues-file", folder.write("queues.yaml", RIGHT), ...KEPT];
  const cluster = await TestCluster.start();
  await cluster.send("POST", "/api/v1/namespaces", { metadata: { name: "kindling" } });
  const first = await startTestGateway(cluster, { settings });
  const path = "/api/v1/namespaces/kindling/configmaps/kept-queues";
  await eventually(async () =>
    expect(await cluster.send("GET", path)).toMatchObject({ data: { "queues.yaml": RIGHT } }),
  );
  await first.stop();

  folder.write("queues.yaml", WRONG);
  const gateway = await startTestGateway(cluster, { settings });
  const etl = await FakeApplication.submit(cluster, gateway, "etl", { queue: "etl" });
  await etl.started();
  const fault =
    /^the file of queues is refused, and the queues are those of the last valid file: .*queues\.yaml:2: a name is made of/;
  expect(gateway.overview().queueFaults).toEqual([expect.stringMatching(fault)]);
  expect(await refusedMetric(gateway)).toBe("1");
  expect((await fetch(new URL("readyz", gateway.adminUri))).status).toBe(200);
  expect(await (await fetch(gateway.adminUri)).text()).toContain("the file of queues is refused");
  await eventually(async () => {
    const { items } = (await cluster.send("GET", "/api/v1/namespaces/kindling/events")) as { readonly items: Event[] };
    expect(items).toMatchObject([
      { reason: "QueuesRefused", type: "Warning", message: expect.stringMatching(fault) as string },
    ]);
  });
  // The refused text does not overwrite the valid one.
  expect(await cluster.send("GET", path)).toMatchObject({ data: { "queues.yaml": RIGHT } });
});

test("without a last one, it goes by the queues that have no faults, and who names another waits and is told", async () => {
  const cluster = await TestCluster.start();
  const settings = ["--queues-file", scratchFolder().write("queues.yaml", WRONG)];
  const gateway = await startTestGateway(cluster, { settings });
  const fine = await FakeApplication.submit(cluster, gateway, "fine");
  const lost = await FakeApplication.submit(cluster, gateway, "lost", { queue: "etl" });
  await fine.started();
  expect(gateway.overview()).toMatchObject({
    queues: [{ path: "default", ceiling: { cpu: 2000 } }],
    queueFaults: [expect.stringMatching(/and only its queues without faults are there: default: /)],
  });
  await eventually(async () => {
    expect(await eventsOf(cluster, lost)).toEqual([
      expect.stringMatching(/^there is no queue etl that .*; the file of queues is refused, and only its queues/),
    ]);
  });
});

test("a file that is no YAML stops no gateway either: all wait, and are told", async () => {
  const cluster = await TestCluster.start();
  const settings = ["--queues-file", scratchFolder().write("queues.yaml", "queues: [\n")];
  const gateway = await startTestGateway(cluster, { settings });
  const lost = await FakeApplication.submit(cluster, gateway, "lost");
  await eventually(async () => {
    expect(await eventsOf(cluster, lost)).toEqual([
      expect.stringContaining("there is no queue, and every application waits"),
    ]);
  });
});

test("a change that is refused is told until it is mended", async () => {
  const folder = scratchFolder();
  const settings = ["--queues-file", folder.write("queues.yaml", RIGHT), "--queues-reload-interval", "1s"];
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings });
  expect(gateway.overview().queueFaults).toEqual([]);
  expect(await refusedMetric(gateway)).toBe("0");
  folder.write("queues.yaml", WRONG);
  await eventually(() =>
    expect(gateway.overview().queueFaults).toEqual([expect.stringContaining("the queues are as they were before: ")]),
  );
  expect(await refusedMetric(gateway)).toBe("1");
  folder.write("queues.yaml", RIGHT);
  await eventually(() => expect(gateway.overview().queueFaults).toEqual([]));
  expect(await refusedMetric(gateway)).toBe("0");
});

test("a gateway that may not see namespaces says that queues with selectors are for nobody", async () => {
  const text = "queues:\n  - { name: default, namespaces: { matchLabels: { team: etl } } }\n";
  const cluster = await TestCluster.start();
  const message = 'namespaces is forbidden: User "gateway" cannot list resource "namespaces" in API group ""';
  cluster.api.fault = ({ path }) =>
    path.startsWith("/api/v1/namespaces?") || path === "/api/v1/namespaces"
      ? { kind: "status", status: 403, reason: "Forbidden", message }
      : undefined;
  const gateway = await startTestGateway(cluster, {
    settings: ["--queues-file", scratchFolder().write("q.yaml", text)],
  });
  await eventually(() =>
    expect(gateway.overview().queueFaults).toEqual([expect.stringMatching(/^the gateway may not list namespaces/)]),
  );
});
