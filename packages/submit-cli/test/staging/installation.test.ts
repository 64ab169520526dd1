import { randomBytes } from "node:crypto";
import { resources } from "@kindling/kube";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import type { Pod, Secret } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { installedCluster, type InstalledCluster } from "../fixtures/installed-cluster.ts";

const USERS = ["spark-users"];
const SUBMIT = [
  ...["submit", "-n", "spark-jobs", "--conf", "spark.kubernetes.container.image=apache/spark:4.3.0"],
  ...["--conf", "spark.kubernetes.submission.waitAppCompletion=false", "--files", "data.bin", "app.py"],
];

function workFolder(): string {
  const folder = scratchFolder({ "app.py": "print(1)" });
  // Too large for one request.
  folder.write("data.bin", randomBytes(9 * 1024 * 1024).toString("latin1"));
  return folder.path;
}

async function secretOf({ client }: InstalledCluster): Promise<Record<string, string>> {
  const { items } = await client.listAll<Secret>(resources.secrets, { namespace: "spark-jobs" });
  const secret = items.find(({ metadata }) => metadata?.name?.endsWith("-dependencies"));
  return Object.fromEntries(
    Object.entries(secret?.data ?? {}).map(([key, text]) => [key, Buffer.from(text, "base64").toString()]),
  );
}

test("without any setting of Kindling's, files go to the installation's server through the API server", async () => {
  const cluster = await installedCluster();
  const ended = await cluster.run(USERS, SUBMIT, { cwd: workFolder() });
  expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
  expect(ended.stderr).toContain("note: installation: kindling 0.1.0 in namespace kindling\n");
  expect(ended.stderr).not.toContain("could not be told");
  const data = await secretOf(cluster);
  const config = JSON.parse(data["driver.json"] ?? "{}");
  expect(config.bundles.submission.server).toBe("https://kindling-staging.kindling.svc:10000");
  expect(Object.values(data)).toContain(cluster.ca);
  const { items } = await cluster.client.listAll<Pod>(resources.pods, { namespace: "spark-jobs" });
  expect(items.map(({ spec }) => spec?.initContainers?.map(({ image }) => image))).toEqual([
    ["kindling/localizer:0.1.0"],
  ]);

  const listed = await cluster.run(USERS, ["staging", "ls", "-n", "spark-jobs", "-o", "json"]);
  expect(listed).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(listed.stdout)).toMatchObject([{ files: 2, namespace: "spark-jobs" }]);
});

test("who may not use the API server's proxy is told what to be granted", async () => {
  const cluster = await installedCluster();
  const ended = await cluster.run(["others"], ["staging", "ls", "-n", "spark-jobs"]);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('services "https:kindling-staging:10000" is forbidden: User "alice" cannot get');
  expect(ended.stderr).toContain(
    "hint: let an administrator grant it: kubectl -n kindling create role kindling-staging-users " +
      "--verb=get,create,update,patch,delete --resource=services/proxy --resource-name=https:kindling-staging:10000",
  );
});

test("a server that is away is told as one", async () => {
  const cluster = await installedCluster();
  await cluster.staging.stop();
  const ended = await cluster.run(USERS, ["staging", "ls", "-n", "spark-jobs"]);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("error trying to reach service");
  expect(ended.stderr).toContain("hint: check that the staging server runs: kubectl -n kindling get endpointslices");
});

test("a token that is given for another server is not sent to one that the cluster names", async () => {
  const cluster = await installedCluster();
  const env = { KINDLING_STAGING_TOKEN: "token-for-another-server" };
  const { code, stderr } = await cluster.run(USERS, ["staging", "ls", "-n", "spark-jobs"], { env });
  expect(code).toBe(0);
  expect(stderr).toBe(
    "note: KINDLING_STAGING_TOKEN is not sent to the installation's staging server; for that, set " +
      "spark.kindling.staging.uri=k8s+https://kindling/kindling-staging:10000\n",
  );
  // If the user names it, it gets the token, but does not know it.
  const named = ["staging", "ls", "-n", "spark-jobs", "--server", "k8s+https://kindling/kindling-staging:10000"];
  expect(await cluster.run(USERS, named, { env })).toMatchObject({ code: 1 });
});

test.each([
  ["k8s+http://kindling/kindling-staging:10000", "names no service of the cluster"],
  ["k8s+https://kindling/kindling-staging", "names no service of the cluster"],
  ["k8s+https://kindling/kindling-staging:99999", "names no service of the cluster"],
  ["k8s+https://kindling/../secrets:1", "names no service of the cluster"],
  ["k8s+https://kindling/other:10000", "there is no service other in namespace kindling"],
])("%s is refused: it %s", async (uri, why) => {
  const cluster = await installedCluster();
  const ended = await cluster.run(["system:masters"], ["staging", "ls", "-n", "spark-jobs", "--server", uri]);
  expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(why)]);
});

test("kindling config --effective shows what comes from it", async () => {
  const cluster = await installedCluster();
  const conf = ["-c", "spark.kindling.localizer.image=mine", "-c", "spark.kubernetes.namespace=spark-jobs"];
  const { code, stdout, stderr } = await cluster.run(USERS, ["config", "--effective", ...conf]);
  expect([code, stderr]).toEqual([0, ""]);
  const rows = stdout.trimEnd().split("\n");
  expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
    ["spark.kindling.localizer.image", "mine", "--conf"],
    [
      ...["spark.kindling.staging.uri", "k8s+https://kindling/kindling-staging:10000"],
      "the installation in namespace kindling",
    ],
    ["spark.kubernetes.namespace", "spark-jobs", "--conf"],
  ]);
});
