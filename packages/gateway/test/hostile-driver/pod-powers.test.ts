import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { PodSpec } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { askedAs } from "../support/asked-as.ts";
import { askedBySpark, madeEarly, runEarly } from "../support/early-application.ts";
import { FakeDriver, SET_KINDS } from "../support/fake-driver.ts";
import { startTestGateway } from "../support/test-gateway.ts";

const ALLOWANCE = "scheduler.kindling/executor-allowance";
const CONTAINER = { name: "spark-kubernetes-executor", image: "spark" };

/** A driver with `spark.kindling.scheduler=gateway` has no token for the API server. */
const NO_TOKEN = { automountServiceAccountToken: false };

function confined(securityContext: object): Partial<PodSpec> {
  return { containers: [{ ...CONTAINER, securityContext }] };
}

function volume(source: object): Partial<PodSpec> {
  return { volumes: [{ name: "v", ...source }] };
}

test("executors have no power over nodes, order and others' data that their driver has not", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv", { spec: NO_TOKEN });
  const client = driver.at(gateway);
  const attacks: readonly (readonly [path: string, spec: object])[] = [
    ["spec.containers[0].securityContext.seccompProfile", confined({ seccompProfile: { type: "Unconfined" } })],
    ["spec.containers[0].securityContext.procMount", confined({ procMount: "Unmasked" })],
    ["spec.securityContext.seLinuxOptions", { securityContext: { seLinuxOptions: { type: "spc_t" } } }],
    ["spec.securityContext.sysctls[0]", { securityContext: { sysctls: [{ name: "net.core.somaxconn", value: "9" }] } }],
    [
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]",
      {
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 100, preference: { matchFields: [{ key: "metadata.name", operator: "In", values: ["n"] }] } },
            ],
          },
        },
      },
    ],
    ["spec.imagePullSecrets[0].name", { imagePullSecrets: [{ name: "registry" }] }],
    ["spec.volumes[0].nfs", volume({ nfs: { server: "nfs", path: "/" } })],
    ["spec.volumes[0].csi", volume({ csi: { driver: "d", volumeAttributes: { secretProviderClass: "other" } } })],
    ["spec.volumes[0].configMap.name", volume({ configMap: { name: "other-conf" } })],
    ["spec.volumes[0].persistentVolumeClaim.claimName", volume({ persistentVolumeClaim: { claimName: "other" } })],
    ["spec.runtimeClassName", { runtimeClassName: "unconfined" }],
  ];
  for (const [index, [path, spec]] of attacks.entries()) {
    // From the fourth time on, a failed executor is shown.
    const answer = await client.post(driver.path("pods"), driver.executor(index + 1, { spec }));
    expect(answer.text, path).toContain(path);
    expect(answer.text, path).toContain("and the driver's pod has not");
  }
  expect(await driver.executorsInCluster()).toEqual([]);
});

test("an executor has no token for the API server that its driver has not, however it is made", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv", { spec: NO_TOKEN });
  const client = driver.at(gateway);
  expect((await client.post(driver.path("pods"), driver.executor(1))).status).toBe(201);
  const byDefault = driver.executor(2, { spec: { serviceAccountName: "default" } });
  expect((await client.post(driver.path("pods"), byDefault)).status).toBe(201);
  for (const name of ["drv-exec-1", "drv-exec-2"]) {
    const { spec } = await driver.made(name);
    expect(spec?.automountServiceAccountToken, name).toBe(false);
    expect(JSON.stringify(spec), name).not.toContain("serviceAccountToken");
  }
  const asking = driver.executor(3, { spec: { automountServiceAccountToken: true } });
  expect((await client.post(driver.path("pods"), asking)).text).toContain(
    "spec.automountServiceAccountToken (the token of service account spark), and the driver's pod has not",
  );
  for (const [kind, plural] of SET_KINDS) {
    const sets = `/apis/apps/v1/namespaces/${driver.namespace}/${plural}`;
    const set = await client.post(sets, driver.setOf(kind, { replicas: 0 }));
    expect(set.body).toMatchObject({ spec: { template: { spec: { automountServiceAccountToken: false } } } });
  }
});

test("an executor that is made early has no such token, and is handed to its driver all the same", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await runEarly(cluster);
  expect(await madeEarly(driver, 2)).toEqual(["drv-exec-1", "drv-exec-2"]);
  const early = await driver.made("drv-exec-1");
  expect(early.spec?.automountServiceAccountToken).toBe(false);
  expect((await driver.at(gateway).post(driver.path("pods"), askedBySpark(driver, 1))).status).toBe(201);
  expect((await driver.made("drv-exec-1")).metadata?.uid).toBe(early.metadata?.uid);
});

test("an executor keeps the token of an account that its driver's token is of, or that the submission named", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const native = await FakeDriver.run(cluster, "native");
  await native.at(gateway).post(native.path("pods"), native.executor(1));
  expect((await native.made("native-exec-1")).spec?.automountServiceAccountToken).toBeUndefined();

  const annotations = { [ALLOWANCE]: JSON.stringify({ serviceAccountName: "default" }) };
  const named = await FakeDriver.run(cluster, "named", { annotations, spec: NO_TOKEN });
  const spec = { serviceAccountName: "default" };
  await named.at(gateway).post(named.path("pods"), named.executor(1, { spec }));
  expect((await named.made("named-exec-1")).spec?.automountServiceAccountToken).toBeUndefined();
});

test("nobody is told the uid of a driver's pod, and a web page of another name is told nothing", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--admin-hosts", "queues.example.com"] });
  const driver = await FakeDriver.run(cluster, "drv");
  await driver.at(gateway).post(driver.path("pods"), driver.executor(1));
  for (const path of ["", "api/overview"]) {
    await eventually(async () => {
      const text = await (await fetch(gateway.adminUri + path)).text();
      expect(text).toContain("drv");
      expect(text).not.toContain(driver.uid);
    });
  }
  const statusOf = async (host: string, path: string): Promise<number> => await askedAs(gateway.adminUri + path, host);
  expect(await statusOf("rebound.example.net", "api/overview")).toBe(421);
  expect(await statusOf("rebound.example.net", "")).toBe(421);
  expect(await statusOf("queues.example.com", "api/overview")).toBe(200);
  expect(await statusOf("kindling-gateway.kindling.svc:8081", "api/overview")).toBe(200);
  // A kubelet or Prometheus may use any name.
  for (const path of ["healthz", "readyz", "metrics"]) expect(await statusOf("rebound.example.net", path)).toBe(200);
});
