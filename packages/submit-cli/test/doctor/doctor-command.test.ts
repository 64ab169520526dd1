import { type KubeObjectLike, resources } from "@kindling/kube";
import type { Script } from "@kindling/devcluster";
import { aPod } from "@kindling/test-kit/a-pod";
import { sendJson, startStub } from "@kindling/test-kit/stub-server";
import { expect, test } from "vitest";
import { installedCluster, type InstalledCluster, type InstalledOptions } from "../fixtures/installed-cluster.ts";
import type { Finished } from "../fixtures/kindling-process.ts";

const USERS = ["spark-users"];
const ENDS_WELL: Script = () => ({ runMilliseconds: 0 });
const IMAGE = ["-c", "spark.kubernetes.container.image=apache/spark:4.3.0"];
const ACCOUNT = ["-c", "spark.kubernetes.authenticate.driver.serviceAccountName=spark"];

const start = (options: InstalledOptions = {}): Promise<InstalledCluster> =>
  installedCluster({ script: ENDS_WELL, ...options });

const doctor = (cluster: InstalledCluster, groups: readonly string[], ...flags: string[]): Promise<Finished> =>
  cluster.run(groups, ["doctor", "-n", "spark-jobs", ...IMAGE, ...ACCOUNT, ...flags]);

/** The states by the names of the checks. */
function states(stdout: string): Record<string, string> {
  const rows = JSON.parse(stdout) as { readonly check: string; readonly state: string }[];
  return Object.fromEntries(rows.map(({ check, state }) => [check, state]));
}

test("of a healthy installation each thing is told, nothing is left, and the exit code is 0", async () => {
  const cluster = await start({
    // The probe's localizer is not a real one here: the script decides what pods reach.
    entries: { "spark.kindling.staging.internalUri": "https://kindling-staging.kindling.svc:10000" },
  });
  const { code, stdout, stderr } = await doctor(cluster, USERS);
  expect([code, stderr]).toEqual([0, ""]);
  const rows = stdout.trimEnd().split("\n");
  expect(rows.map((row) => row.slice(0, 28).trimEnd())).toEqual([
    "ok        API server",
    "ok        namespace",
    "ok        rights",
    "ok        installation",
    "ok        configuration",
    "skipped   drivers' account",
    "ok        gateway",
    "ok        staging rights",
    "ok        staging from here",
    "ok        staging from a pod",
    "ok        Spark's image",
    "skipped   quotas",
  ]);
  expect(stdout).toContain("kindling 0.1.0 in namespace kindling\n");
  const { items } = await cluster.client.listAll(resources.pods, { namespace: "spark-jobs" });
  expect(items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined)).toEqual([]);
});

test("an administrator gets to know what users may not see, too", async () => {
  const cluster = await start();
  const { stdout } = await doctor(cluster, ["system:masters"], "--no-pod", "-o", "json");
  expect(states(stdout)).toMatchObject({ namespace: "ok", quotas: "ok", "drivers' account": "ok" });
  expect(Object.keys(states(stdout))).not.toContain("staging from a pod");
});

test("who has no rights is told which, and how they are granted", async () => {
  const cluster = await start();
  const { code, stdout } = await doctor(cluster, ["others"]);
  expect(code).toBe(1);
  expect(stdout).toContain(
    "problem   rights               in namespace spark-jobs you may not get, list, watch, create, patch, delete pods; ",
  );
  expect(stdout).toContain("          let an administrator grant it: kindling rbac submitter -n spark-jobs");
  expect(stdout).toMatch(
    /^problem {3}staging rights {7}you may not reach service kindling-staging in namespace kindling/m,
  );
  expect(stdout).not.toContain("staging from here");
});

test("an account that is not there, and one without rights, are told", async () => {
  const cluster = await start();
  const missing = ["-c", "spark.kubernetes.authenticate.driver.serviceAccountName=nobody", "--no-pod"];
  const { code, stdout } = await doctor(cluster, ["system:masters"], ...missing);
  expect(code).toBe(1);
  expect(stdout).toContain("problem   drivers' account     namespace spark-jobs has no service account nobody\n");
  const weak = ["-c", "spark.kubernetes.authenticate.driver.serviceAccountName=default", "--no-pod"];
  expect((await doctor(cluster, ["system:masters"], ...weak)).stdout).toContain(
    "problem   drivers' account     account default may not get, list, watch, create, delete, deletecollection pods; create configmaps\n",
  );
});

test("a staging server that is away is told, and no pod is asked", async () => {
  const cluster = await start();
  await cluster.staging.stop();
  const { code, stdout } = await doctor(cluster, USERS);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^problem {3}staging from here {4}.*error trying to reach service/m);
  expect(stdout).toContain("          check that the staging server runs");
  expect(stdout).not.toContain("staging from a pod");
});

test("versions that do not fit are told", async () => {
  const cluster = await start({ version: "7.0.0" });
  const { code, stdout } = await doctor(cluster, USERS, "--no-pod");
  expect(code).toBe(1);
  expect(stdout).toContain(
    "problem   installation         kindling 7.0.0 in namespace kindling, and this command is 0.1.0: these do not fit\n" +
      "          npm install --global @kindling/submit-cli@7.0.0\n",
  );
});

test("a gateway that is away, a quota that is used up and a restricted namespace are told", async () => {
  const entries = {
    "spark.kindling.scheduler": "gateway",
    "spark.kindling.scheduler.uri": "https://kindling-gateway.kindling.svc:8443",
  };
  const cluster = await start({ entries });
  const { client } = cluster;
  await client.create(resources.resourcequotas, {
    ...{ apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "few", namespace: "spark-jobs" } },
    spec: { hard: { pods: "0" } },
  } as KubeObjectLike);
  const label = { metadata: { labels: { "pod-security.kubernetes.io/enforce": "restricted" } } };
  await client.patch(resources.namespaces, "spark-jobs", "merge", label);
  await expect
    .poll(async () => (await doctor(cluster, ["system:masters"], "--no-pod")).stdout, { timeout: 20_000 })
    .toMatch(/^warning {3}quotas {15}used up: pods of quota few \(0\)$/m);
  const { code, stdout } = await doctor(cluster, ["system:masters"], "--no-pod");
  expect(code).toBe(1);
  expect(stdout).toMatch(/^problem {3}gateway {14}there is no service kindling-gateway in namespace kindling$/m);
  expect(stdout).toMatch(/^ok {8}namespace {12}spark-jobs, pod security restricted: pods are made to meet it$/m);
});

const GATEWAY = {
  "spark.kindling.scheduler": "gateway",
  "spark.kindling.scheduler.uri": "https://kindling-gateway.kindling.svc:8443",
};

test("a queue that the namespace may not use is told, and refused at submission, with those that it may", async () => {
  const queues = [
    { name: "etl", namespaces: ["etl-*"] },
    { name: "adhoc", namespaces: ["spark-*"] },
  ];
  const cluster = await start({ entries: GATEWAY, queues });
  const wanted = ["-c", "spark.kindling.scheduler.queue=etl"];
  const refusal = "spark.kindling.scheduler.queue=etl: namespace spark-jobs may not use this queue";
  const { code, stdout } = await doctor(cluster, USERS, "--no-pod", ...wanted);
  expect([code, stdout]).toEqual([1, expect.stringContaining(`problem   configuration        ${refusal}\n`)]);
  expect(stdout).toContain("it may use adhoc; whoever runs the gateway says which namespaces may use a queue");
  const submit = ["submit", "-n", "spark-jobs", ...IMAGE, ...wanted, "local:///app.py"];
  for (const check of [[], ["--check"]]) {
    const refused = await cluster.run(USERS, [...submit.slice(0, 1), ...check, ...submit.slice(1)]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`error: ${refusal}\n`)]);
  }
  const { items } = await cluster.client.listAll(resources.pods, { namespace: "spark-jobs" });
  expect(items).toEqual([]);
});

test("a gateway whose file of queues is refused is a problem", async () => {
  const fault = "the file of queues is refused, and the queues are as they were before: queues.yaml:2: a name is wrong";
  const overview = { apiVersion: "gateway.kindling/v1", kind: "Overview", queues: [], queueFaults: [fault] };
  const { url } = await startStub((_request, response) => sendJson(response, overview));
  const cluster = await start({ entries: GATEWAY });
  const { code, stdout } = await doctor(cluster, USERS, "--no-pod", "-c", `spark.kindling.scheduler.pageUri=${url}`);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^problem {3}gateway .*the file of queues is refused/m)]);
});

test("without an installation it says how to get one", async () => {
  const cluster = await start();
  const none = ["-c", "spark.kindling.installation=spark-system", "--no-pod", "-o", "yaml"];
  const { code, stdout } = await doctor(cluster, USERS, ...none);
  expect(code).toBe(1);
  expect(stdout).toContain("check: installation");
  expect(stdout).toContain("spark.kindling.installation=spark-system: there is no installation of Kindling");
});

test("kindling queue asks the gateway that the installation names", async () => {
  const entries = { "spark.kindling.scheduler.uri": "https://kindling-gateway.kindling.svc:8443" };
  const cluster = await start({ entries });
  const { code, stderr } = await cluster.run(["system:masters"], ["queue", "-n", "spark-jobs"]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("error: there is no service kindling-gateway in namespace kindling\n"),
  ]);
});

test("a pod of the installation that waits for a volume is told, with the claim and the chart's value", async () => {
  const cluster = await start();
  const { client } = cluster;
  const staging = aPod("kindling-staging-0")
    .in("kindling")
    .labels({ "app.kubernetes.io/part-of": "kindling" })
    .spec({ volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] });
  await client.create(resources.persistentvolumeclaims, {
    ...{ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data", namespace: "kindling" } },
    spec: {
      ...{ storageClassName: "absent", accessModes: ["ReadWriteOnce"] },
      resources: { requests: { storage: "1Gi" } },
    },
  } as KubeObjectLike);
  await client.create(resources.pods, staging.build());
  const told = async (): Promise<string> => (await doctor(cluster, ["system:masters"], "--no-pod")).stdout;
  await expect
    .poll(told, { timeout: 20_000 })
    .toMatch(/^problem {3}Kindling's pods {6}kindling-staging-0: .*PersistentVolumeClaim/m);
  expect(await told()).toContain(
    "          claim data waits: nothing gives it a volume of StorageClass absent; name one of kubectl get storageclass as the chart's value staging.storage.volume.storageClass",
  );
});

test("without an installation, what is configured here is enough, and nothing but a warning is said where nothing is", async () => {
  const cluster = await start();
  await cluster.client.delete(resources.configmaps, "kindling", { namespace: "kindling" });
  const without = await doctor(cluster, ["system:masters"], "--no-pod");
  expect(without.stdout).toMatch(/^warning {3}installation {9}there is none in namespace spark-jobs/m);
  expect(without.code).toBe(0);
  const own = ["-c", "spark.kindling.staging.uri=http://127.0.0.1:9", "-c", "spark.kindling.scheduler=gateway"];
  expect((await doctor(cluster, ["system:masters"], "--no-pod", ...own)).stdout).toContain(
    "ok        installation         none, and none is needed: the staging server and the gateway are configured here\n",
  );
});
