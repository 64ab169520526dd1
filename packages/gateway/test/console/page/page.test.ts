import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import type { Overview } from "@kindling/gateway-client";
import { FakeDriver } from "../../support/fake-driver.ts";
import { NOBODY } from "../../support/policies.ts";
import { startTestGateway } from "../../support/test-gateway.ts";

test("the admin port has a page and its JSON, which tell what waits, and why", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { policy: NOBODY });
  const driver = await FakeDriver.run(cluster, "etl");
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), driver.executor(1));
  const application = await eventually(async () => {
    const overview = (await (await fetch(`${gateway.adminUri}api/overview`)).json()) as Overview;
    const [first] = overview.applications;
    if (first?.waits.length !== 1) throw new Error("it has no reason yet");
    return first;
  });
  expect(application).toMatchObject({
    namespace: "spark-jobs",
    id: "spark-etl",
    executors: { waiting: 1, running: 0 },
  });
  const page = await (await fetch(gateway.adminUri)).text();
  expect(page).toContain("waiting for 4 CPUs in queue etl");
  expect(page).not.toContain(driver.token);
});

test("it tells at which port a driver's web UI has TLS", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { policy: NOBODY });
  const ports = [
    { name: "spark-ui", containerPort: 4040 },
    { name: "spark-ui-tls", containerPort: 4440 },
  ];
  const driver = await FakeDriver.run(cluster, "sealed", {
    spec: { containers: [{ name: "spark-kubernetes-driver", image: "spark", ports }] },
  });
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), driver.executor(1));
  await eventually(async () => {
    const overview = (await (await fetch(`${gateway.adminUri}api/overview`)).json()) as Overview;
    expect(overview.applications[0]?.driver).toEqual({ pod: "sealed", uiPort: 4440, hasUiTls: true });
  });
});

test("it tells what was done about executors with too little memory", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { policy: NOBODY });
  const words = "executor 2 used more than its container's 896 MiB";
  const annotations = { "gateway.kindling/memory": JSON.stringify({ words }) };
  const driver = await FakeDriver.run(cluster, "small", { annotations });
  await driver.at(gateway).post(driver.path("pods"), driver.executor(1));
  await eventually(async () => {
    const overview = (await (await fetch(`${gateway.adminUri}api/overview`)).json()) as Overview;
    expect(overview.applications.map(({ memory }) => memory)).toEqual([words]);
  });
  expect(await (await fetch(gateway.adminUri)).text()).toContain("executor 2 used more than its container");
});

test("it tells whose sessions a driver of Spark Connect has, whatever the user's name is", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { policy: NOBODY });
  const profile = { "connect.kindling/profile": "small" };
  const user = `<b>O'Hara & "co"</b>`;
  const taken = { labels: { ...profile, "connect.kindling/key": "k" }, annotations: { "connect.kindling/user": user } };
  for (const [name, marks] of [
    ["connect-1", taken],
    ["connect-2", { labels: profile }],
    ["etl", {}],
  ] as const) {
    const driver = await FakeDriver.run(cluster, name, marks);
    await driver.at(gateway).post(driver.path("pods"), driver.executor(1));
  }
  await eventually(async () => {
    const overview = (await (await fetch(`${gateway.adminUri}api/overview`)).json()) as Overview;
    expect(new Map(overview.applications.map(({ driver, connect }) => [driver.pod, connect]))).toEqual(
      new Map([
        ["connect-1", { profile: "small", state: "in-use", user }],
        ["connect-2", { profile: "small", state: "waiting" }],
        ["etl", undefined],
      ]),
    );
  });
  const page = await (await fetch(gateway.adminUri)).text();
  expect(page).toContain("Spark Connect, profile small, of &lt;b&gt;O&#39;Hara &amp; &quot;co&quot;&lt;/b&gt;</span>");
  expect(page).toContain("Spark Connect, profile small, waits for a session</span>");
  expect(page).not.toContain("<b>O'Hara");
});

test("without admin.page there is none, and health and metrics stay", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--admin-page", "false"] });
  const statuses = await Promise.all(
    ["", "api/overview", "healthz", "metrics"].map(async (path) => (await fetch(gateway.adminUri + path)).status),
  );
  expect(statuses).toEqual([404, 404, 200, 200]);
});
