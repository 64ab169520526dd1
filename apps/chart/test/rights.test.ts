import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";
import { describe, expect, test } from "vitest";
import { CHART, hasHelm, WHERE_HELM_IS } from "../src/helm.ts";
import { find, render, type Rendered } from "../src/render.ts";
import { rightLines, rightsOf, unexplainedRules } from "../src/rights.ts";
import { CONNECT, KERBEROS } from "../src/variants.ts";

const MANIFEST = createRequire(import.meta.url).resolve("@kindling/submit-cli/package.json");
const KINDLING = join(dirname(MANIFEST), "bin", "kindling.js");

describe.skipIf(!hasHelm)(`rights${WHERE_HELM_IS}`, () => {
  test("the staging server sees pods where applications run, and asks about tokens", async () => {
    expect(rightsOf(await render({ namespaces: ["etl"] }), "kindling-staging")).toEqual([
      "cluster: create subjectaccessreviews.authorization.k8s.io",
      "cluster: create tokenreviews.authentication.k8s.io",
      "cluster: get namespaces kube-system etl",
      "etl: get,list,watch pods",
    ]);
  });

  test("staging servers that share a store have a Lease as well", async () => {
    const storage = { kind: "s3", s3: { bucket: "staging" } };
    expect(rightsOf(await render({ "staging.storage": storage }), "kindling-staging")).toEqual(
      expect.arrayContaining([
        "spark-system: create leases.coordination.k8s.io",
        "spark-system: get,update leases.coordination.k8s.io kindling-staging-cleaner",
      ]),
    );
  });

  test("a gateway that needs neither nodes nor restarts sees nothing of the cluster and no Secrets", async () => {
    const values = { namespaces: ["etl"], "gateway.restarts": false, "gateway.settings": { capacity: "unlimited" } };
    expect(rightsOf(await render(values), "kindling-gateway")).toEqual([
      "cluster: create tokenreviews.authentication.k8s.io",
      "etl: create,delete poddisruptionbudgets.policy",
      "etl: create,patch events",
      "etl: deletecollection services",
      "etl: get pods.metrics.k8s.io",
      "etl: get pods/log",
      "etl: get,create,patch,delete,deletecollection configmaps",
      "etl: get,list,watch,create,patch,delete deployments.apps",
      "etl: get,list,watch,create,patch,delete statefulsets.apps",
      "etl: get,list,watch,create,patch,delete,deletecollection persistentvolumeclaims",
      "etl: get,list,watch,create,patch,delete,deletecollection pods",
      "etl: list,watch resourcequotas",
      "etl: patch pods/resize",
      "spark-system: create leases.coordination.k8s.io",
      "spark-system: get,update leases.coordination.k8s.io kindling-gateway",
    ]);
  });

  test("a gateway that renews delegation tokens reads Secrets", async () => {
    const least = { namespaces: ["etl"], "gateway.restarts": false, "gateway.settings": { capacity: "unlimited" } };
    const without = new Set(rightsOf(await render(least), "kindling-gateway"));
    const rights = rightsOf(await render({ ...least, ...KERBEROS }), "kindling-gateway");
    expect(rights.filter((right) => !without.has(right))).toEqual(["etl: get secrets"]);
  });

  test("with default values a gateway may do this in addition", async () => {
    const least = { "gateway.restarts": false, "gateway.settings": { capacity: "unlimited" } };
    const without = new Set(rightsOf(await render(least), "kindling-gateway"));
    expect(rightsOf(await render(), "kindling-gateway").filter((right) => !without.has(right))).toEqual([
      "cluster: list,watch configmaps cluster-autoscaler-status",
      "cluster: list,watch nodeclaims.karpenter.sh",
      "cluster: list,watch nodepools.karpenter.sh",
      "cluster: list,watch nodes",
      "cluster: list,watch pods",
      "spark-system: deletecollection,list,patch services",
      "spark-system: get,patch podgroups.scheduling.volcano.sh",
      "spark-system: get,patch secrets",
      "spark-system: list,patch networkpolicies.networking.k8s.io",
    ]);
  });

  test.each([
    ["capacity", "kueue"],
    ["kueue.enabled", true],
  ])("with %s %s a gateway may ask Kueue for quota", async (key, value) => {
    const least = { "gateway.restarts": false, "gateway.settings": { capacity: "unlimited" } };
    const without = new Set(rightsOf(await render(least), "kindling-gateway"));
    const settings = { capacity: "unlimited", [key]: value };
    const rights = rightsOf(await render({ ...least, "gateway.settings": settings }), "kindling-gateway");
    expect(rights.filter((right) => !without.has(right))).toEqual([
      "cluster: get,list,watch resourceflavors.kueue.x-k8s.io",
      "cluster: get,list,watch workloadpriorityclasses.kueue.x-k8s.io",
      "spark-system: create pods/eviction",
      "spark-system: get,list,watch,create,patch,delete workloads.kueue.x-k8s.io",
      "spark-system: patch workloads/status.kueue.x-k8s.io",
    ]);
  });

  test("with a page for people who sign in, a gateway may ask what they may see", async () => {
    const least = { "gateway.restarts": false, "gateway.settings": { capacity: "unlimited" } };
    const without = new Set(rightsOf(await render(least), "kindling-gateway"));
    const rights = rightsOf(
      await render({ ...least, "gateway.page.url": "https://spark.example.org" }),
      "kindling-gateway",
    );
    expect(rights.filter((right) => !without.has(right))).toEqual([
      "cluster: create subjectaccessreviews.authorization.k8s.io",
    ]);
  });

  test("the history on that page needs what the recorder asks of its readers, in the namespaces of the installation", async () => {
    const values = { "gateway.page.url": "https://spark.example.org", namespaces: ["etl", "ml"] };
    const without = rightsOf(await render(values), "kindling-gateway");
    const rights = rightsOf(await render({ ...values, "recorder.enabled": true }), "kindling-gateway");
    expect(rights).toEqual(without);
    for (const namespace of ["etl", "ml"]) expect(rights).toContain(`${namespace}: get pods/log`);
    expect(rights).not.toContain("cluster: get pods/log");
  });

  test("the submission service submits, and asks about tokens", async () => {
    const rights = rightsOf(await render({ "submission.enabled": true, namespaces: ["etl"] }), "kindling-submission");
    expect(rights.filter((right) => !right.startsWith("etl: "))).toEqual([
      "cluster: create subjectaccessreviews.authorization.k8s.io",
      "cluster: create tokenreviews.authentication.k8s.io",
    ]);
    // The rights of a submitter, except that nobody opens a driver's web UI through the service.
    const { rules = [] } = find(await render(), "Role", "spark-submitter");
    const ofSubmitters = rules.flatMap(rightLines).filter((line) => line !== "create,get pods/portforward");
    expect(rights.filter((right) => right.startsWith("etl: "))).toEqual(
      ofSubmitters.map((line) => `etl: ${line}`).toSorted(),
    );
    expect(rules.flatMap(rightLines)).toContain("create,get pods/portforward");
  });

  test("the connect service makes, watches and stops drivers where its profiles may be, and asks about tokens", async () => {
    const rights = rightsOf(await render(CONNECT), "kindling-connect");
    const inNamespace = [
      "create,patch configmaps",
      "create,patch networkpolicies.networking.k8s.io",
      "create,patch services",
      "create,patch,delete secrets",
      "get configmaps",
      "get namespaces",
      "get pods/log",
      "get,list,watch,create,patch,delete pods",
      "list events",
    ];
    expect(rights).toEqual([
      ...inNamespace.map((right) => `adhoc: ${right}`),
      "cluster: create subjectaccessreviews.authorization.k8s.io",
      "cluster: create tokenreviews.authentication.k8s.io",
      ...inNamespace.map((right) => `etl: ${right}`),
    ]);
  });

  test("the recorder reads pods and their logs where applications run, asks about tokens, and holds a Lease", async () => {
    const objects = await render({ "recorder.enabled": true, namespaces: ["etl"] });
    expect(rightsOf(objects, "kindling-recorder")).toEqual([
      "cluster: create subjectaccessreviews.authorization.k8s.io",
      "cluster: create tokenreviews.authentication.k8s.io",
      "cluster: list,watch nodes",
      "etl: get configmaps",
      "etl: get pods/log",
      "etl: list events",
      "etl: list,watch pods",
      "spark-system: create leases.coordination.k8s.io",
      "spark-system: get,update leases.coordination.k8s.io kindling-recorder",
    ]);
    expect(rightsOf(objects, "kindling-reader")).toEqual(["etl: get pods/log"]);
    expect(rightsOf(objects, "kindling-archive-reader")).toEqual(["cluster: get pods/log"]);
  });

  test("a recorder inside of the gateway uses the gateway's account, which has the rights of both", async () => {
    const values = { "recorder.enabled": true, namespaces: ["etl"] };
    const apart = await render(values);
    const together = await render({ ...values, "recorder.inGateway": true });
    const ofBoth = ["kindling-gateway", "kindling-recorder"].flatMap((account) => rightsOf(apart, account));
    expect(rightsOf(together, "kindling-gateway")).toEqual(ofBoth.toSorted());
    expect(rightsOf(together, "kindling-recorder")).toEqual([]);
  });

  test("submitters read what the recorder keeps of their namespace, and everybody reaches it", async () => {
    const submitters = [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "data" }];
    const objects = await render({ "recorder.enabled": true, namespaces: ["etl"], submitters });
    const ofSubmitters = rightsOf(objects, "data");
    expect(ofSubmitters).toContain("etl: create serviceaccounts/token kindling-reader");
    expect(ofSubmitters).toContain("etl: create jobs.batch");
    expect(rightsOf(objects, "system:authenticated")).toContain(
      "spark-system: get services/proxy https:kindling-recorder:8080",
    );
  });

  test("everybody may find the installation and reach the staging server, and do nothing else", async () => {
    expect(rightsOf(await render({ namespaces: ["etl"] }), "system:authenticated")).toEqual([
      "etl: get configmaps kindling",
      "spark-system: get configmaps kindling",
      "spark-system: get,create,update,patch,delete services/proxy https:kindling-staging:10000",
    ]);
  });

  test("nobody is given a right to submit who is not named", async () => {
    const objects = await render();
    const subjects = objects.flatMap(({ subjects = [] }) => subjects.map(({ name }) => name));
    expect(new Set(subjects)).toEqual(new Set(["kindling-staging", "kindling-gateway", "system:authenticated"]));
  });

  test("drivers have rights only where they make executors themselves", async () => {
    expect(rightsOf(await render(), "spark")).toEqual([]);
    expect(rightsOf(await render({ "gateway.enabled": false }), "spark")).toHaveLength(4);
    expect(rightsOf(await render({ "gateway.enabled": false, "accounts.spark.role": false }), "spark")).toEqual([]);
  });

  test.each([
    ["submitter", "spark-submitter"],
    ["driver", "spark-driver"],
  ])("a %s has what `kindling rbac` prints", async (who, role) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      KINDLING,
      "rbac",
      who,
      "--user",
      "jane",
      "--namespace",
      "spark-system",
    ]);
    const [printed] = parseAllDocuments(stdout).map((document) => document.toJS() as Rendered);
    const { rules = [] } = find(await render({ "accounts.spark.role": true }), "Role", role);
    expect(rules.flatMap(rightLines).toSorted()).toEqual(printed?.rules?.flatMap(rightLines).toSorted());
  });

  test("no rule has a wildcard", async () => {
    const rules = (await render()).flatMap(({ rules = [] }) => rules);
    expect(rules.flatMap(rightLines).filter((line) => line.includes("*"))).toEqual([]);
  });

  test.each([
    "staging/rights.yaml",
    "gateway/rights.yaml",
    "gateway/service.yaml",
    "submission/rights.yaml",
    "connect/rights.yaml",
    "recorder/rights.yaml",
    "_names.tpl",
    "applications/accounts.yaml",
    "installation.yaml",
  ])("each rule of %s says which feature needs it", (name) => {
    const { rules, unexplained } = unexplainedRules(join(CHART, "templates", name));
    expect(rules).toBeGreaterThan(0);
    expect(unexplained).toEqual([]);
  });
});
