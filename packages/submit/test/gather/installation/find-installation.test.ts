import { systemClock, type Clock } from "@kindling/outside";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { caught } from "@kindling/test-kit/caught";
import type { ConfigMap, Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { cachedInstallations, type SubmissionEvent } from "../../../src/index.ts";
import { impatientClient, submitTo } from "../../fixtures/submission.ts";

const IMAGE = {
  "spark.kindling.scheduler": "gateway",
  "spark.kindling.scheduler.uri": "https://gateway.kindling.svc:8443",
};

async function install(
  cluster: TestCluster,
  namespace: string,
  entries: Readonly<Record<string, string>> = IMAGE,
  labels: Readonly<Record<string, string>> = { "app.kubernetes.io/part-of": "kindling" },
): Promise<void> {
  const properties = Object.entries(entries).map(([key, value]) => `${key}=${value}\n`);
  await cluster.send("POST", `/api/v1/namespaces/${namespace}/configmaps`, {
    metadata: { name: "kindling", labels },
    data: { version: "0.1.0", "kindling.properties": properties.join("") },
  });
}

async function withNamespace(): Promise<TestCluster> {
  const cluster = await TestCluster.start();
  await cluster.send("POST", "/api/v1/namespaces", { metadata: { name: "kindling" } });
  return cluster;
}

/** Whether the driver belongs to the gateway, and the notices of the submission. */
async function submitted(
  cluster: TestCluster,
  conf: Readonly<Record<string, string>> = {},
): Promise<{ readonly viaGateway: boolean; readonly notices: readonly string[] }> {
  const notices: string[] = [];
  const note = (event: SubmissionEvent): void => void (event.type === "notice" && notices.push(event.message));
  const { application } = await submitTo(cluster, { conf, onEvent: note });
  const pods = await cluster.objects<Pod>("Pod");
  const pod = pods.find(({ metadata }) => metadata?.name === application.driverPod);
  return { viaGateway: (pod?.spec?.schedulingGates ?? []).length > 0, notices };
}

function questions(cluster: TestCluster): string[] {
  return cluster.api.requests.map(({ path }) => path).filter((path) => path.endsWith("/configmaps/kindling"));
}

describe("a submission without settings", () => {
  test("goes by the installation of its namespace, and says so", async () => {
    const cluster = await withNamespace();
    await install(cluster, "spark-jobs");
    await install(cluster, "kindling", {});
    const { viaGateway, notices } = await submitted(cluster);
    expect(viaGateway).toBe(true);
    expect(notices).toEqual(["installation: kindling 0.1.0 in namespace spark-jobs"]);
    // Both are asked for at once.
    expect(questions(cluster).toSorted()).toEqual([
      "/api/v1/namespaces/kindling/configmaps/kindling",
      "/api/v1/namespaces/spark-jobs/configmaps/kindling",
    ]);
  });

  test("goes by the one in the namespace kindling", async () => {
    const cluster = await withNamespace();
    await install(cluster, "kindling");
    const { viaGateway, notices } = await submitted(cluster);
    expect(viaGateway).toBe(true);
    expect(notices).toEqual(["installation: kindling 0.1.0 in namespace kindling"]);
  });

  test("does not go by one in the namespace kindling that serves other namespaces", async () => {
    const cluster = await withNamespace();
    await install(cluster, "kindling");
    const path = "/api/v1/namespaces/kindling/configmaps/kindling";
    await cluster.send("PATCH", path, { data: { namespaces: "elsewhere other" } });
    expect(await submitted(cluster)).toEqual({ viaGateway: false, notices: [] });
    await cluster.send("PATCH", path, { data: { namespaces: "elsewhere spark-jobs" } });
    expect(await submitted(cluster)).toMatchObject({ viaGateway: true });
  });

  test("is as ever where there is none, where it may not be seen, and where the name is somebody else's", async () => {
    const cluster = await withNamespace();
    expect(await submitted(cluster)).toEqual({ viaGateway: false, notices: [] });
    await install(cluster, "spark-jobs", IMAGE, {});
    expect(await submitted(cluster)).toEqual({ viaGateway: false, notices: [] });
    await install(cluster, "kindling");
    cluster.api.fault = ({ path }) =>
      path.endsWith("/configmaps/kindling") ? { kind: "status", status: 403, reason: "Forbidden" } : undefined;
    expect(await submitted(cluster)).toEqual({ viaGateway: false, notices: [] });
  });
});

describe("spark.kindling.installation", () => {
  test("none asks nobody", async () => {
    const cluster = await withNamespace();
    await install(cluster, "kindling");
    const { viaGateway } = await submitted(cluster, { "spark.kindling.installation": "none" });
    expect([viaGateway, questions(cluster)]).toEqual([false, []]);
  });

  test("names another namespace, where one has to be", async () => {
    const cluster = await withNamespace();
    await install(cluster, "kindling");
    await install(cluster, "elsewhere", {});
    const { viaGateway } = await submitted(cluster, { "spark.kindling.installation": "elsewhere" });
    expect(viaGateway).toBe(false);
    const error = await caught(submitTo(cluster, { conf: { "spark.kindling.installation": "default" } }));
    expect(error).toMatchObject({ code: "OBJECT_NOT_FOUND" });
    expect(error.message).toContain("spark.kindling.installation=default");
  });
});

test("what the user says wins", async () => {
  const cluster = await withNamespace();
  await install(cluster, "kindling");
  expect(await submitted(cluster, { "spark.kindling.scheduler": "native" })).toMatchObject({ viaGateway: false });
});

test("an API server that fails, and a ConfigMap that makes no sense, end the submission before anything is made", async () => {
  const cluster = await withNamespace();
  cluster.api.fault = ({ path }) =>
    path.endsWith("/configmaps/kindling") ? { kind: "status", status: 500, message: "etcd is gone" } : undefined;
  const client = await impatientClient(cluster);
  expect(await caught(submitTo(cluster, { client }))).toMatchObject({ code: "CLUSTER_REFUSED" });
  cluster.api.fault = () => undefined;
  await cluster.send("POST", "/api/v1/namespaces/kindling/configmaps", {
    metadata: { name: "kindling", labels: { "app.kubernetes.io/part-of": "kindling" } },
    data: { "ca.crt": "no PEM" },
  });
  expect(await caught(submitTo(cluster, { client }))).toMatchObject({ code: "FILE_UNPARSABLE" });
  expect(await cluster.objects<ConfigMap>("ConfigMap")).toHaveLength(1);
  expect(cluster.api.writes).toEqual([]);
});

test("a submission has one connection, for this question and all others", async () => {
  const cluster = await withNamespace();
  await submitted(cluster);
  const ports = new Set(cluster.api.requests.map(({ headers }) => headers["host"]));
  expect(ports.size).toBe(1);
  await expect.poll(() => cluster.api.connections()).toBe(0);
});

describe("remembered installations", () => {
  test("are asked for once in their time, by any number of submissions", async () => {
    const cluster = await withNamespace();
    await install(cluster, "spark-jobs");
    const client = await impatientClient(cluster);
    let now = 0;
    const clock: Clock = { ...systemClock, monotonic: () => now };
    const installations = cachedInstallations({ clock, milliseconds: 1000 });
    const call = { client, installations };
    await Promise.all(Array.from({ length: 10 }, () => submitTo(cluster, call)));
    // Each looks in two namespaces.
    expect(questions(cluster)).toHaveLength(2);
    now = 999;
    await submitTo(cluster, call);
    expect(questions(cluster)).toHaveLength(2);
    now = 1000;
    await submitTo(cluster, call);
    expect(questions(cluster)).toHaveLength(4);
  });

  test("are asked for by cluster and namespace, and again after a failure", async () => {
    const cluster = await withNamespace();
    const client = await impatientClient(cluster);
    const installations = cachedInstallations({ clock: systemClock, most: 2 });
    cluster.api.fault = ({ path }) =>
      path.endsWith("/configmaps/kindling") ? { kind: "status", status: 500 } : undefined;
    await caught(submitTo(cluster, { client, installations }));
    // Both namespaces are looked into at once, each up to four times, and the first that gives up is enough to fail.
    await expect.poll(() => questions(cluster)).toHaveLength(8);
    cluster.api.fault = () => undefined;
    const before = questions(cluster).length;
    await submitTo(cluster, { client, installations });
    await submitTo(cluster, { client, installations, namespace: "elsewhere" });
    await submitTo(cluster, { client, installations });
    // Each looks in two namespaces.
    expect(questions(cluster).length - before).toBe(4);
    await submitTo(cluster, { client, installations, namespace: "default" });
    await submitTo(cluster, { client, installations });
    expect(questions(cluster).length - before).toBe(8);
  });
});
