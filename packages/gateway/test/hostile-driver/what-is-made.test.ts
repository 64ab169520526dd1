import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { PersistentVolumeClaim, Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { FakeDriver, SET_KINDS } from "../support/fake-driver.ts";
import { startTestGateway } from "../support/test-gateway.ts";

const CONFIG_MAP = "spark-exec-0a1b2c3d4e5f6071-conf-map";

type Wanted = object & { readonly metadata: { readonly name: string } };

interface Scene {
  readonly cluster: TestCluster;
  readonly driver: FakeDriver;
  readonly other: FakeDriver;
}

async function scene(): Promise<Scene & { readonly post: (path: string, body: object) => Promise<string> }> {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const [driver, other] = [await FakeDriver.run(cluster, "drv"), await FakeDriver.run(cluster, "other")];
  const client = driver.at(gateway);
  return {
    ...{ cluster, driver, other },
    async post(path, body) {
      const { status, body: answer } = await client.post(path, body);
      // If a driver asks again and again for a pod that it may never have, a failed pod is shown to it.
      const { phase, message } = (answer as Pod).status ?? {};
      if (phase === "Failed") return `403 ${message}`;
      return `${status} ${String(answer["message"] ?? "")}`;
    },
  };
}

/** The objects that a driver can create, as Spark requests them, with the paths of their collections. */
function wanted(driver: FakeDriver): readonly (readonly [string, Wanted])[] {
  const { ownerReferences } = driver.executor(1).metadata ?? {};
  const labels = { "spark-app-selector": driver.app, "spark-role": "executor" };
  const sets = SET_KINDS.map(
    ([kind, plural]) =>
      [`/apis/apps/v1/namespaces/${driver.namespace}/${plural}`, driver.setOf(kind) as Wanted] as const,
  );
  return [
    [driver.path("pods"), driver.executor(1) as Wanted],
    [driver.path("configmaps"), { metadata: { name: CONFIG_MAP, labels, ownerReferences } } as Wanted],
    [driver.path("persistentvolumeclaims"), driver.claim("drv-exec-1-pvc-0", driver.pod) as Wanted],
    ...sets,
  ];
}

function changed(object: { metadata?: object }, metadata: object): object {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

describe("a driver cannot write", () => {
  test.each([
    ["a mark of the gateway", { annotations: { "gateway.kindling/uid": "u" } }, /annotations\[gateway.kindling\/uid\]/],
    [
      "a label of the gateway",
      { labels: { "gateway.kindling/set": "x" } },
      /labels\[gateway.kindling\/set\]|its label/,
    ],
    ["a finalizer", { finalizers: ["example.com/stay"] }, /metadata.finalizers/],
  ] as const)("%s on anything that it has made", async (_what, metadata, why) => {
    const { driver, post, cluster } = await scene();
    for (const [path, object] of wanted(driver)) {
      const answer = await post(path, changed(object, metadata));
      expect(answer, path).toMatch(/^403 /);
      expect(answer, path).toMatch(why);
    }
    const names = (await cluster.objects<Pod>("Pod")).map(({ metadata: pod }) => pod?.name ?? "");
    expect(names.sort()).toEqual(["drv", "other"]);
  });

  test("an owner that only has the uid of its pod, or of another driver's", async () => {
    const { driver, other, post } = await scene();
    const owner = { apiVersion: "v1", kind: "Pod", name: "drv", uid: driver.uid };
    const lies = [
      { ...owner, kind: "StatefulSet", apiVersion: "apps/v1" },
      { ...owner, kind: "Unknown", apiVersion: "example.com/v1" },
      { ...owner, name: "another" },
      { ...owner, name: "other", uid: other.uid },
      { ...owner, apiVersion: "v2" },
    ];
    for (const [path, object] of wanted(driver)) {
      for (const lie of lies) {
        for (const ownerReferences of [[lie], [owner, lie]]) {
          const answer = await post(path, changed(object, { ownerReferences }));
          expect(answer, `${path} ${JSON.stringify(lie)}`).toMatch(/^403 .*owners? can only be the driver's pod/);
        }
      }
    }
  });

  test("a gate that nobody opens", async () => {
    const { driver, post } = await scene();
    const gated = driver.executor(1, { spec: { schedulingGates: [{ name: "example.com/never" }] } });
    expect(await post(driver.path("pods"), gated)).toMatch(/^403 .*spec.schedulingGates/);
    for (const [kind, plural] of SET_KINDS) {
      const set = driver.setOf(kind, { changes: { spec: gated.spec ?? { containers: [] } } });
      const path = `/apis/apps/v1/namespaces/${driver.namespace}/${plural}`;
      expect(await post(path, set)).toMatch(/^403 .*schedulingGates/);
    }
  });
});

test("what says nothing of its owner goes with its driver all the same", async () => {
  const { cluster, driver, post } = await scene();
  const owners = [{ apiVersion: "v1", kind: "Pod", name: "drv", uid: driver.uid }];
  for (const [path, object] of wanted(driver)) {
    expect(await post(path, changed(object, { ownerReferences: undefined })), path).toMatch(/^201/);
  }
  await driver.made("drv-exec-1");
  for (const [path, { metadata }] of wanted(driver)) {
    const made = (await cluster.send("GET", `${path}/${metadata.name}`)) as Pod;
    expect(made.metadata?.ownerReferences, path).toMatchObject(owners);
  }
});

test("what is said of drivers alone is left out of executors, which may have their driver's template", async () => {
  const { driver, post } = await scene();
  const texts = { "scheduler.kindling/queue": "etl" };
  const { labels } = driver.executor(1).metadata ?? {};
  const executor = changed(driver.executor(1), { labels: { ...labels, ...texts }, annotations: texts });
  expect(await post(driver.path("pods"), executor)).toMatch(/^201/);
  const { metadata } = await driver.made("drv-exec-1");
  expect(metadata?.labels).toEqual(labels);
  expect(metadata?.annotations).not.toHaveProperty(["scheduler.kindling/queue"]);
});

test("claims of sets go with the driver, and have none of these either", async () => {
  const { cluster, driver, post } = await scene();
  const path = `/apis/apps/v1/namespaces/${driver.namespace}/statefulsets`;
  const { spec, ...claim } = driver.claim("unused", driver.pod);
  const set = driver.setOf("StatefulSet", { replicas: 1 }) as { spec: object };
  const withClaims = (metadata: object): object => ({
    ...set,
    spec: { ...set.spec, volumeClaimTemplates: [{ ...claim, metadata: { name: "data", ...metadata }, spec }] },
  });
  expect(await post(path, withClaims({ finalizers: ["example.com/stay"] }))).toMatch(
    /^403 .*spec.volumeClaimTemplates\[0\].metadata.finalizers/,
  );
  expect(await post(path, withClaims({ labels: { app: "postgres" } }))).toMatch(
    /^403 .*spec.volumeClaimTemplates\[0\].metadata.labels\[app\]/,
  );
  expect(await post(path, withClaims({}))).toMatch(/^201/);
  await expect
    .poll(async () => (await cluster.objects<PersistentVolumeClaim>("PersistentVolumeClaim"))[0]?.metadata)
    .toMatchObject({ ownerReferences: [{ kind: "Pod", name: "drv", uid: driver.uid }] });
});
