import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { Kindling, kindling } from "../clusters/kindling.ts";
import { IS_INSTALLED } from "../clusters/services.ts";
import { EmptyNamespace, eventually, sparkImage, SPARK_VERSIONS } from "../clusters/test-cluster.ts";
import { helm, uninstallIfThere } from "../stack/helm.ts";
import { IMAGE_TAG } from "../stack/installed.ts";
import { STACK } from "../stack/stack.ts";

const VERSION = SPARK_VERSIONS.at(-1) ?? "";
const KEPT_SECRETS = [
  ...["kindling-ca", "kindling-staging-tls", "kindling-gateway-tls", "kindling-connect-tls", "kindling-recorder-tls"],
  "kindling-connect-drivers",
];

describe.skipIf(!IS_INSTALLED)("the chart, with services and applications apart", () => {
  let system: EmptyNamespace;
  let applications: EmptyNamespace;
  let folder: string;
  let before: string[];

  beforeAll(async () => {
    system = await EmptyNamespace.create("chart-system");
    applications = await EmptyNamespace.create("chart-apps");
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    await system.client.patch(resources.namespaces, system.name, "merge", { metadata: { labels } });
    const metadata = { name: "jane" };
    await applications.client.create(resources.serviceaccounts, { apiVersion: "v1", kind: "ServiceAccount", metadata });
    folder = mkdtempSync(join(tmpdir(), "kindling-e2e-chart-"));
    // The cluster's controllers put these into each new namespace, a moment after its creation.
    const given = [system, applications].flatMap(({ name }) => [
      `ConfigMap ${name}/kube-root-ca.crt`,
      `ServiceAccount ${name}/default`,
    ]);
    before = await eventually("what a cluster puts into a new namespace", async () => {
      const found = await objects();
      return given.every((object) => found.includes(object)) && found;
    });
  });
  afterAll(async () => {
    await uninstallIfThere(STACK.release, system.name);
    await applications.remove();
    await system.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function release(verb: "install" | "upgrade", more: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const path = join(folder, "values.yaml");
    const recorder = { enabled: true, storage: { kind: "emptyDir" } };
    const connect = {
      enabled: true,
      profiles: { small: { namespace: applications.name, image: sparkImage(VERSION) } },
    };
    const submitters = [{ kind: "ServiceAccount", name: "jane", namespace: applications.name }];
    writeFileSync(
      path,
      stringify({
        ...STACK.values,
        accounts: {},
        namespaces: [applications.name],
        submitters,
        connect,
        recorder,
        ...more,
      }),
    );
    const flags = ["--set", `images.tag=${IMAGE_TAG}`, "--wait", "--timeout", "3m"];
    await helm([verb, STACK.release, STACK.chart, "--namespace", system.name, "--values", path, ...flags]);
  }

  /** The objects in both namespaces, and the release's cluster-wide objects. */
  async function objects(): Promise<string[]> {
    const names: string[] = [];
    for (const [apiVersion, kind] of KINDS) {
      const type = await system.client.resourceFor(apiVersion, kind);
      for (const { name: namespace } of [system, applications]) {
        const { items } = await system.client.listAll(type, { namespace });
        names.push(...items.map(({ metadata }) => `${kind} ${namespace}/${metadata?.name ?? ""}`));
      }
    }
    for (const kind of ["ClusterRole", "ClusterRoleBinding"]) {
      const type = await system.client.resourceFor("rbac.authorization.k8s.io/v1", kind);
      const { items } = await system.client.listAll(type);
      const found = items.map(({ metadata }) => metadata?.name ?? "");
      names.push(...found.filter((name) => name.includes(system.name)).map((name) => `${kind} ${name}`));
    }
    return names.toSorted();
  }

  async function keptSecrets(): Promise<unknown[]> {
    const secrets = KEPT_SECRETS.map((name) => system.client.get(resources.secrets, name));
    return (await Promise.all(secrets)).map((secret) => (secret as { data?: unknown }).data);
  }

  /** A kubeconfig of an account with only the rights of `submitters`. */
  async function kubeconfigOfJane(): Promise<string> {
    const token = await applications.tokenOf("jane");
    const config = parse(readFileSync(process.env["KUBECONFIG"] ?? "", "utf8")) as { users: { user: object }[] };
    for (const entry of config.users) entry.user = { token };
    const file = join(folder, "jane.kubeconfig");
    writeFileSync(file, stringify(config), { mode: 0o600 });
    return file;
  }

  test(
    "is installed into a restricted namespace, serves its submitters, is upgraded, and leaves nothing",
    { timeout: 480_000 },
    async () => {
      await release("install");
      const tested = await helm(["test", STACK.release, "--namespace", system.name, "--timeout", "2m"]);
      expect(tested).toMatch(/Phase: +Succeeded/);
      const made = await keptSecrets();

      // With only the rights of the value `submitters`, and with drivers without rights.
      writeFileSync(
        join(folder, "app.py"),
        "from pyspark.sql import SparkSession\nprint('SUM', SparkSession.builder.getOrCreate().range(10).groupBy().sum().first()[0])\n",
      );
      const conf = {
        "spark.kubernetes.container.image": sparkImage(VERSION),
        "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
        "spark.kubernetes.driver.request.cores": "100m",
        "spark.kubernetes.executor.request.cores": "100m",
        "spark.driver.memory": "512m",
        "spark.executor.memory": "512m",
        "spark.executor.instances": "1",
      };
      const flags = Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
      const args = ["submit", "--namespace", applications.name, "--name", "sum", "--logs", ...flags, "app.py"];
      const jane = { KUBECONFIG: await kubeconfigOfJane() };
      const { exit, out, err } = await kindling(args, jane, folder);
      expect(exit, `${out}\n${err}`).toBe(0);
      expect(out).toContain("SUM 45");

      // The recorder has all of it before its pods go, with the event log, and its submitter reads it afterwards.
      const history = await eventually("the application in the history", async () => {
        const { out: runs } = await kindling(["history", "-n", applications.name, "-o", "json"], jane, folder);
        return runs.includes('"eventLog"') && runs;
      });
      expect(history).toContain('"state": "succeeded"');
      await applications.client.deleteCollection(resources.pods, {});
      await eventually("the end of the application", async () => {
        const { items } = await applications.client.listAll(resources.pods);
        return items.length === 0;
      });
      const kept = await kindling(["logs", "-n", applications.name, "sum"], jane, folder);
      expect(kept.out, kept.err).toContain("SUM 45");
      expect(await webUi(["ui", "-n", applications.name, "sum"], jane, folder)).toContain("<title>sum - Spark Jobs");
      const jobs = await applications.client.resourceFor("batch/v1", "Job");
      await applications.client.deleteCollection(jobs, { propagationPolicy: "Background" });

      await release("upgrade", { queues: [{ name: "default" }] });
      expect(await keptSecrets()).toEqual(made);

      await helm(["uninstall", STACK.release, "--namespace", system.name, "--wait", "--timeout", "2m"]);
      // Its pods end by themselves, and what belonged to a driver is deleted with it. The comparison shows what is left.
      await eventually("an empty cluster", async () => (await objects()).join() === before.join(), 60_000).catch(
        () => {},
      );
      expect(await objects()).toEqual(before);
    },
  );
});

/** The page that a command opens. */
async function webUi(args: readonly string[], env: NodeJS.ProcessEnv, folder: string): Promise<string> {
  const shown = new Kindling(args, env, folder);
  const uri = await eventually("the web UI", () => {
    if (shown.child.exitCode !== null) throw new Error(shown.err);
    return Promise.resolve(shown.out.includes("\n") && shown.out.trim());
  });
  const page = await (await fetch(uri)).text();
  shown.child.kill("SIGINT");
  expect((await shown.ended).exit).toBe(0);
  return page;
}

const KINDS: readonly (readonly [apiVersion: string, kind: string])[] = [
  ["v1", "Pod"],
  ["v1", "ConfigMap"],
  ["v1", "Secret"],
  ["v1", "Service"],
  ["v1", "ServiceAccount"],
  ["v1", "PersistentVolumeClaim"],
  ["apps/v1", "Deployment"],
  ["coordination.k8s.io/v1", "Lease"],
  ["networking.k8s.io/v1", "NetworkPolicy"],
  ["policy/v1", "PodDisruptionBudget"],
  ["rbac.authorization.k8s.io/v1", "Role"],
  ["rbac.authorization.k8s.io/v1", "RoleBinding"],
];
