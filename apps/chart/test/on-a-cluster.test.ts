import { createKubeClient, type KubeClient, type KubeObjectLike, loadClusterAccess, resources } from "@kindling/kube";
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHART, hasHelm, OPERATOR_CHART, WHERE_HELM_IS } from "../src/helm.ts";
import { OPERATOR_VARIANTS } from "../src/operator.ts";
import { type Rendered, renderChart, valueFlags, type Values } from "../src/render.ts";
import { VARIANTS } from "../src/variants.ts";

/** The default kubeconfig is not used: it may be someone's production. */
const isThere = (process.env["KUBECONFIG"] ?? "") !== "";

/** The kinds of other projects, which a cluster may lack. */
const OF_OTHERS = /^(?:cert-manager\.io|monitoring\.coreos\.com|route\.openshift\.io)\//;

/** What is said to be there, for a value that is refused without it. */
const PRESENT = ["--api-versions", "monitoring.coreos.com/v1/PodMonitor"];

const CASES: readonly (readonly [chart: string, variant: string, folder: string, values: Values])[] = [
  ...Object.entries(VARIANTS).map(([name, values]) => ["kindling", name, CHART, values] as const),
  ...Object.entries(OPERATOR_VARIANTS).map(
    ([name, values]) => ["kindling-operator", name, OPERATOR_CHART, values] as const,
  ),
];

describe.skipIf(!isThere || !hasHelm)(`what Helm makes for the cluster of KUBECONFIG${WHERE_HELM_IS}`, () => {
  let client: KubeClient;
  let namespace: string;
  let version: string;

  beforeAll(async () => {
    const access = await loadClusterAccess({ env: process.env });
    const admin = createKubeClient(access);
    ({ gitVersion: version } = await admin.request<{ gitVersion: string }>({ method: "GET", path: "/version" }));
    const { metadata } = await admin.create(resources.namespaces, { metadata: { generateName: "kindling-chart-" } });
    namespace = metadata?.name ?? "";
    admin.close();
    client = createKubeClient(access, { namespace });
  });
  afterAll(async () => {
    await client.delete(resources.namespaces, namespace);
    client.close();
  });

  async function rendered(chart: string, values: Values): Promise<readonly Rendered[]> {
    return await renderChart(chart, "kindling-try", ["--kube-version", version, ...PRESENT, ...valueFlags(values)]);
  }

  /** What the API server says against these objects; nothing is stored. */
  async function refusals(objects: readonly KubeObjectLike[]): Promise<readonly string[]> {
    const said = objects
      .filter(({ apiVersion = "" }) => !OF_OTHERS.test(apiVersion))
      .map(async ({ metadata, ...object }) => {
        const { namespace: _elsewhere, ...own } = metadata ?? {};
        const { apiVersion = "", kind = "" } = object;
        try {
          const type = await client.resourceFor(apiVersion, kind);
          const options = {
            fieldManager: "kindling-try",
            force: true,
            dryRun: true,
            fieldValidation: "Strict",
          } as const;
          await client.apply(type, { ...object, metadata: own }, options);
          return [];
        } catch (error) {
          return [`${kind} ${own.name ?? ""}: ${String(error)}`];
        }
      });
    return (await Promise.all(said)).flat();
  }

  test.concurrent.each(CASES)("chart %s, %s: the cluster accepts each object, to the last field", async (...one) => {
    const [, , folder, values] = one;
    const objects = (await rendered(folder, values)) as unknown as readonly KubeObjectLike[];
    expect(objects.length).toBeGreaterThan(0);
    expect(await refusals(objects)).toEqual([]);
  });

  test("the definitions of the operator's kinds are accepted", async () => {
    const folder = `${OPERATOR_CHART}/crds`;
    const definitions = readdirSync(folder).map(
      (file) => parse(readFileSync(`${folder}/${file}`, "utf8")) as KubeObjectLike,
    );
    expect(await refusals(definitions)).toEqual([]);
  });

  test("policies of the operator's chart are accepted, or refused by Helm where there are none yet", async () => {
    const [, minor = "0"] = /^v1\.(\d+)/.exec(version) ?? [];
    const said = await rendered(OPERATOR_CHART, { "admissionPolicy.enable": true }).then(
      async (objects) => (await refusals(objects as unknown as readonly KubeObjectLike[])).join("\n"),
      (error: unknown) => String(error),
    );
    expect(said).toMatch(
      Number(minor) >= 30 ? /^$/ : /admissionPolicy\.enable needs Kubernetes 1\.30, and this is v1\./,
    );
  });
});
