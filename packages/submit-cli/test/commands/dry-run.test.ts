import type { Pod } from "kubernetes-types/core/v1.js";
import { beforeEach, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { kindling, start } from "../fixtures/kindling-process.ts";
import { hadoopSite } from "@kindling/test-kit/hadoop-site";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { aTicketCache } from "@kindling/test-kit/ticket-cache-bytes";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { APP, conf, flagsFor } from "../fixtures/submission.ts";

let cluster: TestCluster;

beforeEach(async () => {
  cluster = await TestCluster.start();
});

const submit = (...args: string[]): ReturnType<typeof kindling> => kindling(["submit", ...flagsFor(cluster), ...args]);

describe("kindling submit --dry-run", () => {
  test.each([
    ["yaml", (text: string): unknown[] => parseAllDocuments(text).map((document) => document.toJS() as unknown)],
    ["json", (text: string): unknown[] => (JSON.parse(text) as { items: unknown[] }).items],
  ] as const)("prints the objects as %s, what the pod needs before it, and asks nobody", async (format, read) => {
    const { code, stdout, stderr } = await submit("--dry-run", "-o", format, ...APP);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const objects = read(stdout) as {
      kind: string;
      apiVersion: string;
      metadata: { name: string; namespace: string };
    }[];
    expect(objects.map(({ kind }) => kind)).toEqual(["Service", "NetworkPolicy", "ConfigMap", "Pod"]);
    for (const { apiVersion, metadata } of objects) {
      expect(apiVersion).toMatch(/\S/);
      expect(metadata).toMatchObject({ namespace: "spark-jobs", name: expect.stringMatching(/\S/) });
      expect(metadata).not.toHaveProperty("ownerReferences");
    }
    expect(cluster.api.requests).toEqual([]);
  });

  test("gives all objects the application's label, and says how to remove them by it", async () => {
    const { stdout } = await submit("--dry-run", ...APP);
    const [, kinds, label, id] = /delete (\S+) -l ([^=\s]+)=(\S+)$/m.exec(stdout) ?? [];
    expect(stdout.split("\n")[0]).toBe(
      `# To remove what it makes: kubectl -n spark-jobs delete ${kinds} -l ${label}=${id}`,
    );
    const objects = parseAllDocuments(stdout).map((document) => document.toJS() as Pod);
    for (const { kind, metadata } of objects) {
      expect(kinds?.split(",")).toContain(kind?.toLowerCase());
      expect(metadata?.labels).toMatchObject({ [label ?? ""]: id });
    }
  });

  test("fetches no delegation tokens, and says so at the top", async () => {
    const site = hadoopSite({ "hadoop.security.authentication": "kerberos" });
    const { path } = scratchFolder({ "hadoop/core-site.xml": site, cache: aTicketCache(Date.now() + 3_600_000) });
    const env = { HADOOP_CONF_DIR: `${path}/hadoop`, KRB5CCNAME: `FILE:${path}/cache`, KRB5_CONFIG: "/dev/null" };
    const krb5 = { "spark.kubernetes.kerberos.krb5.configMapName": "krb5" };
    const file = conf({ "spark.hadoop.fs.defaultFS": "hdfs://nn", ...krb5 });
    const args = ["submit", ...flagsFor(cluster), "--dry-run", ...file, ...APP];
    const { code, stdout, stderr } = await kindling(args, { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "note: secrets are not shown, --show-secrets shows them\n" });
    expect(stdout.split("\n")).toContain(
      "# This cannot be applied: delegation tokens are not fetched; --dry-run=server fetches them.",
    );
    expect(stdout).toMatch(/kind: Secret\nmetadata:\n {2}name: .*-delegation-tokens$/m);
  });

  test("prints what a cluster then takes, and that is what submitting creates", async () => {
    const { stdout } = await submit("--dry-run", "-o", "json", "--submission-id", "same", ...APP);
    const printed = (JSON.parse(stdout) as { items: { kind: string; spec?: unknown }[] }).items;
    await submit(
      "--submission-id",
      "same",
      ...conf({ "spark.kubernetes.submission.waitAppCompletion": "false" }),
      ...APP,
    );
    for (const kind of ["Pod", "Service", "NetworkPolicy"]) {
      const sent = cluster.api.writes.map(({ body }) => body as { kind: string; spec?: unknown });
      expect(sent.find((object) => object.kind === kind)?.spec).toEqual(
        printed.find((object) => object.kind === kind)?.spec,
      );
    }
  });

  test("with words that YAML 1.1 would take for something else keeps them texts", async () => {
    const odd = {
      yes: "no",
      octal: "0644",
      empty: "",
      null: "~",
      number: "1e3",
      date: "2026-11-21",
      long: "x ".repeat(100).trim(),
      lines: "a\nb",
    };
    const flags = Object.entries(odd).flatMap(([name, value]) =>
      conf({ [`spark.kubernetes.driverEnv.${name}`]: value }),
    );
    const { stdout } = await submit("--dry-run", ...flags, ...APP);
    const pod = parseAllDocuments(stdout, { version: "1.1" }).at(-1)?.toJS() as Pod;
    const env = pod.spec?.containers?.[0]?.env ?? [];
    for (const [name, value] of Object.entries(odd)) expect(env).toContainEqual({ name, value });
  });

  test("--executor prints the pod that an executor will get", async () => {
    const { code, stdout } = await submit("--dry-run", "--executor", "-o", "json", "--executor-memory", "2g", ...APP);
    expect(code).toBe(0);
    const { items } = JSON.parse(stdout) as { items: Pod[] };
    expect(items.map((item) => (item as { kind?: string }).kind)).toEqual(["ConfigMap", "Pod"]);
    expect(items.at(-1)).toMatchObject({
      metadata: { labels: { "spark-role": "executor", "spark-exec-id": "1" } },
      spec: { containers: [{ name: "spark-kubernetes-executor", resources: { limits: { memory: "2432Mi" } } }] },
    });
  });

  test("needs no cluster", async () => {
    const { code, stdout } = await kindling([
      "submit",
      "--dry-run",
      ...conf({ "spark.kubernetes.container.image": "x" }),
      ...APP,
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain("k8s\\://https\\://kubernetes.default.svc");
  });

  test.each<[string, string, readonly string[], RegExp]>([
    ["is broken", "contexts: [", [], /^error: .*config/],
    [
      "has not the context that is asked for",
      '{"contexts": [], "clusters": []}',
      conf({ "spark.kubernetes.context": "prod" }),
      /^error: context "prod" is not in /,
    ],
  ])("tells where a kubeconfig %s", async (_, text, flags, message) => {
    const env = { KUBECONFIG: scratchFolder().write("config", text) };
    const image = conf({ "spark.kubernetes.container.image": "x" });
    const { code, stdout, stderr } = await kindling(["submit", "--dry-run", ...image, ...flags, ...APP], { env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test("does not upload", async () => {
    const folder = scratchFolder({ "a.txt": "x" });
    const flags = [
      ...conf({ "spark.kubernetes.file.upload.path": `file:${folder.path}/up` }),
      "--files",
      `${folder.path}/a.txt`,
    ];
    const { code, stdout } = await submit("--dry-run", ...flags, ...APP);
    expect(code).toBe(0);
    expect(stdout).toContain(`${folder.path}/up/spark-upload-`);
    expect(await start("ls", [folder.path], {}).ended).toMatchObject({ stdout: "a.txt\n" });
  });
});

describe("a step loaded by the command as it is published", () => {
  test("may be an ES module that awaits, at a path of any letters", async () => {
    const folder = scratchFolder({
      "größe #1/st ep.mjs": `await null;
        export default { name: "label", configureDriver: (spec) => ({ ...spec, driverPod: { ...spec.driverPod,
          metadata: { ...spec.driverPod.metadata, annotations: { label: "here" } } } }) };`,
    });
    const { code, stdout, stderr } = await submit("--dry-run", "--steps", `${folder.path}/größe #1/st ep.mjs`, ...APP);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("label: here");
  });
});
