import { eventually } from "@kindling/test-kit/eventually";
import { testAuthority } from "@kindling/test-kit/certificates";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { ConfigMap, Pod } from "kubernetes-types/core/v1.js";
import { beforeEach, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { sparkPod } from "../fixtures/driver-pod.ts";
import { kindling, type Finished } from "../fixtures/kindling-process.ts";
import { APP, conf, flagsFor, NAMESPACE } from "../fixtures/submission.ts";

const GATEWAY = {
  "spark.kindling.scheduler": "gateway",
  "spark.kindling.scheduler.uri": "https://kindling-gateway.spark-system.svc:8443",
  "spark.kindling.scheduler.queue": "etl",
  "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
};
const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;

let cluster: TestCluster;

beforeEach(async () => {
  cluster = await TestCluster.start();
});

const submit = (more: Record<string, string>, ...flags: string[]): Promise<Finished> =>
  kindling(["submit", ...flagsFor(cluster), ...conf({ ...GATEWAY, ...more }), ...flags, ...APP]);

const unwatched = { "spark.kubernetes.submission.waitAppCompletion": "false" };

async function ungate({ metadata }: Pod): Promise<void> {
  const path = `/api/v1/namespaces/${NAMESPACE}/pods/${metadata?.name}`;
  await cluster.send("PATCH", path, { spec: { schedulingGates: null } });
}

test("C22: a driver of the gateway has one token, which is worth nothing at the API server", async () => {
  const { code, stderr } = await submit(unwatched);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const { spec } = await cluster.driver();
  const tokens = (spec?.volumes ?? []).flatMap(({ projected }) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }) => serviceAccountToken ?? []),
  );
  expect(tokens).toEqual([{ audience: "kindling-gateway", expirationSeconds: 3600, path: "token" }]);
  expect(spec?.automountServiceAccountToken).toBe(false);
  expect(cluster.api.requests.filter(({ path }) => path.endsWith("/token"))).toEqual([]);
});

test("a dry run prints the pod, and an explanation names the step", async () => {
  const { stdout } = await submit({}, "--dry-run");
  const objects = parseAllDocuments(stdout).map((document) => document.toJS() as Pod);
  expect(objects.find(({ kind }) => kind === "Pod")?.spec?.schedulingGates).toEqual([
    { name: "scheduler.kindling/admission" },
  ]);
  const explained = await kindling(["explain", ...flagsFor(cluster), ...conf(GATEWAY), ...APP]);
  expect(explained.stdout).toMatch(/^ *scheduler\.kindling\/queue: etl # scheduler$/m);
  expect(explained.stdout).toMatch(/^ *automountServiceAccountToken: false # scheduler$/m);
});

test("its driver waits until its gate is taken away, and is told to wait for its turn", async () => {
  expect(await submit(unwatched)).toMatchObject({ code: 0 });
  const driver = await cluster.driver();
  // When another pod runs, the scheduler has already examined this one.
  await cluster.createPod(sparkPod("other", { role: "none" }));
  const gated = await cluster.inPhase(driver, "Pending");
  expect(gated.spec?.nodeName).toBeUndefined();
  expect(gated.status?.conditions).toMatchObject([
    { type: "PodScheduled", status: "False", reason: "SchedulingGated" },
  ]);
  const status = await kindling([
    "status",
    "--master",
    `k8s://${cluster.url}`,
    `${NAMESPACE}:${driver.metadata?.name}`,
  ]);
  expect(status.stdout).toMatch(/^State +SchedulingGated$/m);
  expect(status.stdout).toContain("the driver waits in queue etl of the gateway");

  await cluster.send("POST", CONFIG_MAPS, { metadata: { name: "kindling-gateway-ca" }, data: { "ca.crt": "PEM" } });
  await ungate(driver);
  await cluster.inPhase(driver, "Running");
});

test("its driver does not start before the gateway's certificates are there", async () => {
  expect(await submit({ ...unwatched, "spark.kindling.scheduler.gate": "false" })).toMatchObject({ code: 0 });
  const driver = await cluster.driver();
  await eventually(async () => {
    expect(JSON.stringify(await cluster.send("GET", `/api/v1/namespaces/${NAMESPACE}/events`))).toContain(
      "kindling-gateway-ca",
    );
  });
  await cluster.send("POST", CONFIG_MAPS, { metadata: { name: "kindling-gateway-ca" }, data: { "ca.crt": "PEM" } });
  await cluster.inPhase(driver, "Running");
});

test("certificates of the submitter's disk are the driver's, and go when it goes", async () => {
  const { cert } = testAuthority("gateway");
  const path = scratchFolder({ "ca.pem": cert }).path;
  expect(await submit({ ...unwatched, "spark.kindling.scheduler.caFile": `${path}/ca.pem` })).toMatchObject({
    code: 0,
  });
  const driver = await cluster.driver();
  const maps = await cluster.objects<ConfigMap>("ConfigMap");
  const own = maps.find(({ metadata }) => metadata?.name?.endsWith("-scheduler-ca"));
  expect(own?.data).toEqual({ "ca.crt": cert });
  expect(own?.metadata?.ownerReferences).toMatchObject([{ kind: "Pod", uid: driver.metadata?.uid }]);
  await ungate(driver);
  await cluster.inPhase(driver, "Running");
});

test("a password in the gateway's URI is refused, and not shown", async () => {
  const { code, stderr } = await submit({ "spark.kindling.scheduler.uri": "https://me:hunter2@gateway" });
  expect(code).toBe(1);
  expect(stderr).toContain("spark.kindling.scheduler.uri: ");
  expect(stderr).not.toContain("hunter2");
});
