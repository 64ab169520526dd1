import { type KubeObjectLike, type ResourceType, resources } from "@kindling/kube";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { APP_DIR, prepareApplications, WORD_COUNTS, type Fixtures } from "../clusters/applications.ts";
import { GatewayDrivers } from "../clusters/gateway-drivers.ts";
import { type Ended, Kindling, submissionIdIn } from "../clusters/kindling.ts";
import { HAS_GATEWAY } from "../clusters/services.ts";
import { eventually, TestNamespace, TRIED_VERSIONS } from "../clusters/test-cluster.ts";

type Pod = typeof resources.pods extends ResourceType<infer T> ? T : never;

const SEALED = ["--conf", "spark.kindling.seal=true"];
const COUNT_WORDS = [`local://${APP_DIR}/word-count.py`, `${APP_DIR}/text.txt`, "2"];
/**
 * OpenShift sets the user by itself. The image has to make a name for it, as those of `apache/spark` do; the home that they give
 * it is no path, so that Ivy needs a folder.
 */
const HAS_ANY_USER = process.env["KINDLING_E2E_ANY_USER"] === "1";
const AS_ANY_USER = ["spark.kindling.podSecurity.runAsUser=1000690000", "spark.jars.ivy=/tmp/.ivy2"].flatMap(
  (entry) => ["--conf", entry],
);

/**
 * Lets a namespace admit restricted pods only.
 *
 * @returns whether the cluster does that; an embedded one does not, and runs pods as the user of its process
 */
async function restrict({ client, name }: TestNamespace): Promise<boolean> {
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  await client.patch(resources.namespaces, name, "merge", { metadata: { labels } });
  const plain = { metadata: { name: "plain" }, spec: { containers: [{ name: "plain", image: "plain" }] } };
  return await client.create(resources.pods, { apiVersion: "v1", kind: "Pod", ...plain }, { dryRun: true }).then(
    () => false,
    () => true,
  );
}

const NOT_ENFORCED = "the cluster does not enforce pod security";

const counts = ({ out }: Ended): string[] => out.split("\n").filter((line) => line.startsWith("COUNT "));

describe.each(TRIED_VERSIONS)("sealed applications where pods are restricted, on Spark %s", (version) => {
  let namespace: TestNamespace;
  let fixtures: Fixtures;
  let isEnforced: boolean;

  beforeAll(async () => {
    namespace = await TestNamespace.create(`hardened-${version.replaceAll(".", "-")}`);
    fixtures = await prepareApplications(namespace, version);
    isEnforced = await restrict(namespace);
  });
  beforeEach(({ skip }) => skip(!isEnforced, NOT_ENFORCED));
  afterAll(async () => {
    fixtures.remove();
    await namespace.remove();
  });

  const submit = (...args: readonly string[]): Kindling =>
    new Kindling(["submit", ...fixtures.flags, ...SEALED, "--logs", ...args]);

  test("count words, without a security context in any template", async () => {
    const ended = await submit(...COUNT_WORDS).ended;
    expect(ended.exit, ended.err).toBe(0);
    expect(counts(ended)).toEqual(WORD_COUNTS);
    expect(ended.out.split("\n")).toContain("EXECUTORS 2");
    expect(ended.err).toContain("admits restricted pods only");
    await namespace.deleteApplication(submissionIdIn(ended.err).split(":")[1] ?? "");
  });

  test.skipIf(!HAS_ANY_USER)("count words as a user of OpenShift's range", async () => {
    const ended = await submit(...AS_ANY_USER, ...COUNT_WORDS).ended;
    expect(ended.exit, ended.err).toBe(0);
    expect(counts(ended)).toEqual(WORD_COUNTS);
    const driver = submissionIdIn(ended.err).split(":")[1] ?? "";
    const { spec } = await namespace.client.get<Pod>(resources.pods, driver);
    expect(spec?.securityContext?.runAsUser).toBe(1_000_690_000);
    await namespace.deleteApplication(driver);
  });

  test("keep their secret out of pods, and refuse an executor that does not have it", async () => {
    const running = submit("--conf", "spark.kindling.seal.ui=true", `local://${APP_DIR}/sleep.py`, "120");
    const executor = await eventually("an executor", () => runningExecutor(namespace));
    const driver = submissionIdIn(running.err).split(":")[1] ?? "";
    const { data } = await namespace.client.get<KubeObjectLike & { data?: Record<string, string> }>(
      resources.secrets,
      `${driver.replace(/-driver$/, "")}-seal`,
    );
    const secret = Buffer.from(data?.["secret-text"] ?? "", "base64").toString();
    expect(secret).not.toBe("");
    const { items: pods } = await namespace.client.listAll(resources.pods);
    const { items: maps } = await namespace.client.listAll(resources.configmaps);
    const shown = JSON.stringify([pods, maps]);
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain("PRIVATE KEY");

    // The API server speaks TLS with the UI, so this fails if the UI does not.
    const ui = `/api/v1/namespaces/${namespace.name}/pods/https:${driver}:4440/proxy/api/v1/applications`;
    expect(await namespace.client.request({ method: "GET", path: ui })).toEqual([
      expect.objectContaining({ id: expect.any(String) }),
    ]);

    // The same pod with the secret joins, so that only the missing secret keeps the other one out.
    await namespace.client.create(resources.pods, alike(executor, "twin", true));
    await eventually("the twin's registration", () => isRegistered(namespace, "twin"));
    await namespace.client.create(resources.pods, alike(executor, "foreign", false));
    const ended = await eventually("the end of the foreign executor", async () => {
      const pod = await namespace.client.get(resources.pods, "foreign");
      return pod.status?.phase === "Failed" || pod.status?.phase === "Succeeded" ? pod : undefined;
    });
    expect(ended.status?.phase).toBe("Failed");
    expect(await isRegistered(namespace, "foreign")).toBe(false);
    running.child.kill();
    await running.ended;
    for (const name of ["twin", "foreign"]) {
      await namespace.client.delete(resources.pods, name, { gracePeriodSeconds: 0 });
    }
    await namespace.deleteApplication(driver);
  });
});

async function runningExecutor({ client }: TestNamespace): Promise<Pod | undefined> {
  const { items } = await client.listAll(resources.pods, { labelSelector: "spark-role=executor" });
  return items.find(({ status }) => status?.phase === "Running");
}

/** Another pod of the namespace that does what this executor does, with the same account. */
function alike({ spec }: Pod, name: string, hasSecret: boolean): Pod {
  const containers = (spec?.containers ?? []).map(({ env = [], ...container }) => ({
    ...container,
    env: env
      .filter((entry) => hasSecret || entry.name !== "_SPARK_AUTH_SECRET")
      .map((entry) => (entry.name === "SPARK_EXECUTOR_ID" ? { name: entry.name, value: "99" } : entry)),
  }));
  const { nodeName: _node, hostname: _host, ...rest } = spec ?? { containers: [] };
  return { apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { ...rest, containers } };
}

/** Whether the executor says that its driver has taken it. */
async function isRegistered({ client }: TestNamespace, name: string): Promise<boolean> {
  const { phase } = (await client.get(resources.pods, name)).status ?? {};
  if (phase === undefined || phase === "Pending") return false;
  const log = await client.logs(name);
  for await (const line of log.lines()) if (line.includes("Successfully registered with driver")) return true;
  return false;
}

describe.skipIf(!HAS_GATEWAY).each(TRIED_VERSIONS)("the same through the gateway, on Spark %s", (version) => {
  let drivers: GatewayDrivers;
  let isEnforced: boolean;

  beforeAll(async () => {
    drivers = await GatewayDrivers.start("hardened-gateway", version);
    isEnforced = await restrict(drivers.namespace);
  });
  beforeEach(({ skip }) => skip(!isEnforced, NOT_ENFORCED));
  afterAll(async () => {
    await drivers.stop();
  });

  test("count words on executors that were there before the driver asked for them", async () => {
    const ended = await drivers.run({ "spark.kindling.seal": "true" }, ...COUNT_WORDS);
    expect(ended.exit, drivers.said(ended)).toBe(0);
    expect(counts(ended)).toEqual(WORD_COUNTS);
    expect(await drivers.gateway.metric('gateway_early_executors_total{outcome="handed"}')).toBe(2);
  });
});
