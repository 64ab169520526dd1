import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP_DIR, prepareApplications, type Fixtures } from "../clusters/applications.ts";
import { installedSteps, installSteps } from "../clusters/contributed-steps.ts";
import { GATEWAY_HOST, TestGateway } from "../clusters/gateway.ts";
import { kindling, submissionIdIn } from "../clusters/kindling.ts";
import { eventually, TRIED_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const POLICY = "labels:\n  team: { required: true, values: [search, ads] }\n  stage: { default: dev }\n";

/** Nothing answers there: requests to services of the cluster through it would fail. */
const PROXY = "http://proxy.invalid:3128";

const CONF = {
  "spark.cost-center.owner": "ada",
  "spark.kindling.vault.role": "etl",
  "spark.kindling.vault.secret.db": "secret/data/db",
  "spark.kindling.labels.policy": "labels.yaml",
  "spark.kindling.corporate.ca.configMap": "corporate-ca",
  "spark.kindling.corporate.proxy.https": PROXY,
  // Otherwise they are gone before they can be examined.
  "spark.kubernetes.executor.deleteOnTermination": "false",
};

const ways = ["driver", "gateway"].filter((by) => by === "driver" || GATEWAY_HOST !== undefined);
const cases = TRIED_VERSIONS.flatMap((version) => ways.map((by) => [version, by] as const));

describe.each(cases)("contributed steps on Spark %s, and executors by the %s", (version, by) => {
  let namespace: TestNamespace;
  let fixtures: Fixtures;
  let gateway: TestGateway | undefined;
  let folder: string;
  let steps: string;

  beforeAll(async () => {
    namespace = await TestNamespace.create(`steps-${by}-${version.replaceAll(".", "-")}`);
    fixtures = await prepareApplications(namespace, version);
    folder = realpathSync(mkdtempSync(join(tmpdir(), "kindling-e2e-steps-")));
    writeFileSync(join(folder, "labels.yaml"), POLICY);
    steps = installSteps(folder);
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "corporate-ca" } };
    await namespace.client.create(resources.configmaps, { ...configMap, data: { "ca.crt": "CERTIFICATES" } } as never);
    if (by === "gateway")
      gateway = await TestGateway.start(namespace, GATEWAY_HOST ?? "", { steps: await installedSteps(folder) });
  });
  afterAll(async () => {
    await gateway?.stop();
    fixtures.remove();
    rmSync(folder, { recursive: true, force: true });
    await namespace.remove();
  });

  const submit = (...more: readonly string[]): ReturnType<typeof kindling> => {
    const flags = Object.entries(CONF).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
    const all = [...fixtures.flags, ...(gateway?.flags ?? []), ...flags, "--steps", steps, ...more];
    return kindling(["submit", ...all, "--logs", `local://${APP_DIR}/equipped.py`], {}, folder);
  };

  test("change the pods of driver and executors, and what Spark finds in them", async () => {
    const ended = await submit("--conf", "spark.kindling.label.team=search");
    expect(ended.exit, ended.err + ended.out + (gateway?.log ?? []).join("")).toBe(0);
    const found = (where: string): string => `FOUND ${where} CERTIFICATES ${PROXY} True`;
    const told = ended.out.split("\n").filter((line) => /^(FOUND|JVM) /.test(line));
    expect(told).toEqual([found("driver"), found("executor"), found("executor"), "JVM proxy.invalid"]);

    const { items } = await namespace.client.listAll(resources.pods);
    const roles = items.map(({ metadata }) => metadata?.labels?.["spark-role"] ?? "");
    expect(roles.toSorted()).toEqual(["driver", "executor", "executor"]);
    for (const { metadata, spec } of items) {
      expect(metadata?.labels).toMatchObject({ team: "search", stage: "dev" });
      expect(metadata?.annotations).toMatchObject({
        "example.com/owner": "ada",
        "vault.hashicorp.com/agent-inject": "true",
        "vault.hashicorp.com/role": "etl",
        "vault.hashicorp.com/agent-inject-secret-db": "secret/data/db",
        "vault.hashicorp.com/agent-service-account-token-volume-name": "vault-token",
      });
      expect(spec?.volumes?.map(({ name }) => name)).toEqual(expect.arrayContaining(["vault-token", "corporate-ca"]));
    }
    await namespace.deleteApplication(submissionIdIn(ended.err).split(":")[1] ?? "");
    await eventually("no pods", async () => (await namespace.client.listAll(resources.pods)).items.length === 0);
  });

  test("refuse an application that breaks the policy, and leave nothing", async () => {
    const { exit, err } = await submit();
    expect(exit).toBe(1);
    expect(err).toContain("spark.kindling.label.team is not set, and label team is required (labels.yaml, line 2)");
    expect((await namespace.client.listAll(resources.pods)).items).toEqual([]);
  });
});
