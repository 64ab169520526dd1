import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import type { Event } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeApplication } from "../support/fake-application.ts";
import { startTestGateway, type TestGateway } from "../support/test-gateway.ts";

interface Crowded {
  readonly cluster: TestCluster;
  readonly gateway: TestGateway;
  /** Runs in queue `adhoc` with default settings and five executors (its minimum), and fills the cluster. */
  readonly fixed: FakeApplication;
  /** Submits an application of queue `etl`, which has a guarantee of three CPUs. */
  readonly submitDaily: () => Promise<FakeApplication>;
}

async function crowded(adhoc: string, ...settings: readonly string[]): Promise<Crowded> {
  const file = scratchFolder().write(
    "queues.yaml",
    `queues:\n  - name: etl\n    guarantee: { cpu: 3 }\n  - name: adhoc\n${adhoc}`,
  );
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, {
    settings: ["--queues-file", file, ...(settings.includes("--capacity") ? [] : ["--capacity", "cpu=6"]), ...settings],
  });
  const fixed = await FakeApplication.submit(cluster, gateway, "fixed", { queue: "adhoc", executors: 5 });
  await fixed.started();
  await fixed.ask(5);
  await fixed.hasRunning(5);
  const submitDaily = (): Promise<FakeApplication> =>
    FakeApplication.submit(cluster, gateway, "daily", { queue: "etl", executors: 1 });
  return { cluster, gateway, fixed, submitDaily };
}

/** The gateway's events about a pod, by reason. */
async function eventsOf(cluster: TestCluster, { driver }: FakeApplication, pod: string): Promise<Map<string, string>> {
  const { items } = (await cluster.send("GET", driver.path("events"))) as { readonly items: Event[] };
  const own = items.filter(
    ({ involvedObject, source }) => involvedObject.name === pod && source?.component === "kindling-gateway",
  );
  return new Map(own.map(({ reason, message }) => [reason ?? "", message ?? ""]));
}

function waitsOf(gateway: TestGateway, name: string): readonly string[] {
  return gateway.overview().applications.find(({ id }) => id === `spark-${name}`)?.waits ?? [];
}

test("a guarantee is kept against an application that runs on the keys' defaults, and both are told", async () => {
  const { cluster, gateway, fixed, submitDaily } = await crowded("");
  const daily = await submitDaily();
  await daily.started();
  await daily.ask(1);
  await daily.hasRunning(1);

  expect(await fixed.running()).toBe(3);
  const deletions = cluster.api.writes.filter(({ method }) => method === "DELETE");
  expect(new Set(deletions.map(({ path }) => path.split("/").at(-1)))).toEqual(
    new Set(["fixed-exec-4", "fixed-exec-5"]),
  );
  expect(deletions).toHaveLength(2);
  // They have no preStop hook, so they need no time to leave.
  for (const { body } of deletions) expect(body).toMatchObject({ gracePeriodSeconds: 30 });

  // Spark asks for others instead: these wait, and no executor is taken away for them.
  await fixed.ask(2);
  const words = "wants 5 executors, has 3: 2 gave way to daily in queue etl, which has a guarantee";
  await expect.poll(() => waitsOf(gateway, "fixed")).toContain(words);
  expect(cluster.api.writes.filter(({ method }) => method === "DELETE")).toHaveLength(2);
  await eventually(async () => {
    expect((await eventsOf(cluster, fixed, "fixed")).get("ExecutorsPreempted")).toBe(words);
    expect((await eventsOf(cluster, fixed, "fixed-exec-5")).get("Preempted")).toMatch(
      /^deleted, so that there is room for daily in queue etl, which has a guarantee; with spark\.decommission\.enabled/,
    );
  });

  const page = await (await fetch(new URL("/", gateway.adminUri))).text();
  expect(page).toContain(`<li>${words}</li>`);

  // They get the room again when the other application has ended.
  await daily.finish();
  await fixed.hasRunning(5);
});

test("executors that can leave without loss are asked for a guarantee, and only then others are deleted", async () => {
  const settings = ["--capacity", "cpu=9", "--queues-preemption-grace", "5min"];
  const { cluster, gateway, submitDaily } = await crowded("  - name: dev\n", ...settings);
  const movable = await FakeApplication.submit(cluster, gateway, "movable", {
    ...{ queue: "dev", executors: 1, isDecommissioned: true },
  });
  await movable.started();
  await movable.ask(2);
  await movable.hasRunning(2);
  const daily = await submitDaily();
  await daily.started();
  const deletions = cluster.api.writes.filter(({ method }) => method === "DELETE");
  expect(deletions.map(({ path, body }) => ({ name: path.split("/").at(-1), body }))).toMatchObject([
    { name: "movable-exec-2", body: { gracePeriodSeconds: 300 } },
    { name: "fixed-exec-5", body: { gracePeriodSeconds: 30 } },
  ]);
  await eventually(async () => {
    expect((await eventsOf(cluster, movable, "movable-exec-2")).get("Preempted")).toBe(
      "asked to leave, so that there is room for daily in queue etl, which has a guarantee; it may finish its tasks first",
    );
  });
});

test.each([
  ["    preemption: never\n", "its applications may not be asked (preemption: never)"],
  ["    preemption: graceful\n", "its executors cannot leave without losing work (preemption: graceful)"],
  ["    floor: minimum\n", "its applications have no executors above their floor"],
])("who waits is told who has the room and why it cannot be had: %j", async (adhoc, why) => {
  const { cluster, gateway, fixed, submitDaily } = await crowded(adhoc);
  const daily = await submitDaily();
  const words = `waiting for 2 CPUs in queue etl; queue adhoc has 6 CPUs above its guarantee, and ${why}`;
  await expect.poll(() => waitsOf(gateway, "daily")).toEqual([words]);
  await eventually(async () => {
    expect((await eventsOf(cluster, daily, "daily")).get("AwaitingAdmission")).toBe(words);
  });
  expect(await fixed.running()).toBe(5);
});

test("nobody is deleted where preemption is off", async () => {
  const { gateway, fixed, submitDaily } = await crowded("", "--queues-preemption", "false");
  await submitDaily();
  await expect
    .poll(() => waitsOf(gateway, "daily"))
    .toEqual([expect.stringContaining("nobody is asked to leave here (queues.preemption: false)")]);
  expect(await fixed.running()).toBe(5);
});
