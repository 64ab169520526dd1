import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { ApiClient } from "@kindling/test-kit/api-client";
import { describe, expect, test } from "vitest";
import { FakeDriver, SET_KINDS } from "../support/fake-driver.ts";
import { runHandedOver, type HandedOver } from "../support/handed-over.ts";
import { startTestGateway } from "../support/test-gateway.ts";

type Labels = Readonly<Record<string, string>>;

const LABEL = "spark.kubernetes.executor.label.";

interface Submitted {
  readonly driver: FakeDriver;
  readonly client: ApiClient;
  readonly cluster: TestCluster;
}

async function submitted(given: Partial<HandedOver>): Promise<Submitted> {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await runHandedOver(cluster, "drv", { steps: [], ...given });
  return { cluster, driver, client: driver.at(gateway) };
}

function labelled(driver: FakeDriver, id: number, labels: Labels): object {
  const { metadata, ...executor } = driver.executor(id);
  return { ...executor, metadata: { ...metadata, labels: { ...metadata?.labels, ...labels } } };
}

/** Asks for an executor with these labels, and returns the answer. */
async function ask(driver: FakeDriver, client: ApiClient, labels: Labels, id = 1): Promise<string> {
  const { status, body } = await client.post(driver.path("pods"), labelled(driver, id, labels));
  return `${status} ${String(body["message"] ?? "")}`;
}

describe("an executor may have labels", () => {
  test.each<[string, Partial<HandedOver>, Labels]>([
    ["that the submission's keys say", { conf: { [`${LABEL}queue`]: "root.etl" } }, { queue: "root.etl" }],
    [
      "with a domain, as operators write them",
      { conf: { [`${LABEL}sparkoperator.k8s.io/app-name`]: "pi" } },
      { "sparkoperator.k8s.io/app-name": "pi" },
    ],
    [
      "with the ids of application and executor in them",
      { conf: { [`${LABEL}applicationId`]: "{{APP_ID}}", [`${LABEL}id`]: "e{{EXECUTOR_ID}}" } },
      { applicationId: "spark-drv", id: "e1" },
    ],
    ["of its pod template", { template: { metadata: { labels: { team: "a", build: 7 } } } }, { team: "a", build: "7" }],
    ["of Spark's own", {}, { "spark-version": "4.3.0", "spark-app-name": "named-in-its-code" }],
  ])("%s", async (_which, given, labels) => {
    const { driver, client } = await submitted(given);
    expect(await ask(driver, client, labels)).toMatch(/^201/);
    expect((await driver.made("drv-exec-1")).metadata?.labels).toMatchObject(labels);
  });

  test("of its driver's pod, and those that client mode is given in the pod's arguments", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const args = ["spark-submit", "--conf", `${LABEL}spark-owner=bob`, `--conf=${LABEL}kind=shell`];
    const containers = [{ name: "notebook", image: "jupyter", args }];
    const driver = await FakeDriver.run(cluster, "drv", { labels: { team: "a" }, spec: { containers } });
    const labels = { team: "a", "spark-owner": "bob", kind: "shell" };
    expect(await ask(driver, driver.at(gateway), labels)).toMatch(/^201/);
    expect((await driver.made("drv-exec-1")).metadata?.labels).toMatchObject(labels);
  });
});

describe("a driver cannot make its executors part of somebody's service", () => {
  test("by labels that its submission has not said", async () => {
    const { cluster, driver, client } = await submitted({ conf: { [`${LABEL}app`]: "etl" } });
    for (const labels of [{ tier: "db" }, { app: "postgres" }, { "spark-owner": "x" }]) {
      expect(await ask(driver, client, labels)).toMatch(/^403 .*metadata\.labels\[[a-z-]+\], and neither/);
    }
    for (const [kind, plural] of SET_KINDS) {
      const executor = labelled(driver, 1, { app: "postgres" });
      const path = `/apis/apps/v1/namespaces/${driver.namespace}/${plural}`;
      const { status, text } = await client.post(path, driver.setOf(kind, { changes: executor }));
      expect(status).toBe(403);
      expect(text).toContain("spec.template.metadata.labels[app]");
    }
    const { ownerReferences } = driver.executor(1).metadata ?? {};
    const labels = { "spark-app-selector": driver.app, grafana_dashboard: "1" };
    const map = { metadata: { name: "spark-exec-0a1b2c3d4e5f6071-conf-map", labels, ownerReferences } };
    expect((await client.post(driver.path("configmaps"), map)).text).toContain("labels[grafana_dashboard]");
    const made = cluster.api.writes.filter(({ path }) => path.includes("/namespaces/"));
    expect(made.map(({ path }) => path)).toEqual([]);
  });

  test("later, nor take away a label that its submission has said", async () => {
    const { driver, client } = await submitted({
      conf: {
        [`${LABEL}team`]: "a",
        "spark.kubernetes.executor.decommissionLabel": "leaving",
        "spark.kubernetes.executor.decommissionLabelValue": "soon",
      },
    });
    expect(await ask(driver, client, { team: "a" })).toMatch(/^201/);
    await driver.made("drv-exec-1");
    const path = driver.path("pods", "drv-exec-1");
    const patch = async (labels: object): Promise<number> =>
      (await client.patch(path, "merge", { metadata: { labels } })).status;
    expect(await patch({ app: "postgres" })).toBe(403);
    expect(await patch({ team: "b" })).toBe(403);
    expect(await patch({ team: null })).toBe(403);
    expect(await patch({ "gateway.kindling/set": "x" })).toBe(403);
    expect(await patch({ leaving: "soon", "spark-exec-inactive": "true" })).toBe(200);
    const { labels } = (await driver.made("drv-exec-1")).metadata ?? {};
    expect(labels).toMatchObject({ team: "a", leaving: "soon", "spark-exec-inactive": "true" });
    expect(labels).not.toHaveProperty("app");
    const marks = { metadata: { annotations: { "gateway.kindling/anything": "x" } } };
    expect((await client.patch(path, "merge", marks)).status).toBe(403);
  });
});

test("the configuration is not read for drivers that ask for nothing of the kind", async () => {
  const { cluster, driver, client } = await submitted({ conf: { [`${LABEL}team`]: "a" } });
  const reads = (): number => cluster.api.requests.filter(({ path }) => path.endsWith("/configmaps/drv-conf")).length;
  // Steps are read for the first executor, together with the configuration.
  expect(await ask(driver, client, {})).toMatch(/^201/);
  const before = reads();
  for (let id = 2; id <= 4; id += 1) expect(await ask(driver, client, { team: "a" }, id)).toMatch(/^201/);
  expect(reads() - before).toBe(1);
});
