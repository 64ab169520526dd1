import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasHelm, OPERATOR_CHART, WHERE_HELM_IS } from "../src/helm.ts";
import { OPERATOR_VARIANTS, renderOperator } from "../src/operator.ts";
import { rightLines, rightsOf, unexplainedRules } from "../src/rights.ts";
import type { Values } from "../src/render.ts";

const ACCOUNT = "spark-operator-controller";

describe.skipIf(!hasHelm)(`rights of the operator${WHERE_HELM_IS}`, () => {
  test("for a namespace it has none elsewhere, but for its Lease", async () => {
    expect(rightsOf(await renderOperator({ "spark.jobNamespaces": ["etl"] }), ACCOUNT)).toEqual([
      "etl: get namespaces",
      "etl: get pods/log",
      "etl: get,create,patch configmaps",
      "etl: get,create,patch networkpolicies.networking.k8s.io",
      "etl: get,create,patch,delete ingresses.networking.k8s.io",
      "etl: get,list,watch scheduledsparkapplications.sparkoperator.k8s.io",
      "etl: get,list,watch,create,delete pods",
      "etl: get,list,watch,create,delete sparkapplications.sparkoperator.k8s.io",
      "etl: get,list,watch,create,patch,delete services",
      "etl: get,list,watch,delete sparkconnects.sparkoperator.k8s.io",
      "etl: list,create events",
      "etl: update scheduledsparkapplications/finalizers.sparkoperator.k8s.io",
      "etl: update scheduledsparkapplications/status.sparkoperator.k8s.io",
      "etl: update sparkapplications/finalizers.sparkoperator.k8s.io",
      "etl: update sparkapplications/status.sparkoperator.k8s.io",
      "etl: update sparkconnects/finalizers.sparkoperator.k8s.io",
      "etl: update sparkconnects/status.sparkoperator.k8s.io",
      "spark-system: create leases.coordination.k8s.io",
      "spark-system: get,update leases.coordination.k8s.io spark-operator-controller-lock",
    ]);
  });

  test("it need not read drivers' logs", async () => {
    const rights = rightsOf(await renderOperator({ "kindling.driverLogs": false }), ACCOUNT);
    expect(rights.filter((right) => right.includes("log"))).toEqual([]);
  });

  test("features give it more", async () => {
    const without = new Set(rightsOf(await renderOperator({ "spark.jobNamespaces": ["etl"] }), ACCOUNT));
    const values = { ...OPERATOR_VARIANTS["with all features"], "spark.jobNamespaces": ["etl"] };
    const rights = rightsOf(await renderOperator(values), ACCOUNT);
    expect(rights.filter((right) => !without.has(right))).toEqual([
      "etl: create jobs.batch",
      "etl: get,create,patch persistentvolumeclaims",
      "etl: get,create,patch,delete poddisruptionbudgets.policy",
      "etl: get,create,patch,delete podgroups.scheduling.volcano.sh",
      "etl: get,create,patch,delete podgroups.scheduling.x-k8s.io",
      "etl: get,list,watch,create,patch,delete ingresses.networking.k8s.io",
      "etl: list resourcequotas",
      "spark-system: get services/proxy http:kindling-gateway:8081",
    ]);
  });

  test.each<[string, readonly string[]]>([
    ["", []],
    ["http://gateway.example:8081/", []],
    ["etl/gateway:9000", ["etl: get services/proxy http:gateway:9000"]],
  ])("it may ask the gateway '%s' by way of the API server", async (gateway, wanted) => {
    const rights = rightsOf(
      await renderOperator({ "kindling.gateway": gateway, "spark.jobNamespaces": ["etl"] }),
      ACCOUNT,
    );
    expect(rights.filter((right) => right.includes("proxy"))).toEqual(wanted);
  });

  test.each<[string, Values, readonly string[]]>([
    ["namespaces", { "spark.jobNamespaces": ["etl", "spark-system"] }, ["etl", "spark-system"]],
    ["all", { "spark.jobNamespaces": [""] }, ["cluster", "spark-system"]],
    ["an empty list", { "spark.jobNamespaces": [] }, ["cluster", "spark-system"]],
    [
      "a selector",
      { "spark.jobNamespaces": ["etl"], "spark.jobNamespaceSelector": "a" },
      ["cluster", "etl", "spark-system"],
    ],
    ["no Lease", { "spark.jobNamespaces": ["etl"], "controller.leaderElection.enable": false }, ["etl"]],
  ])("with %s they are where they have to be", async (_name, values, where) => {
    const rights = rightsOf(await renderOperator(values), ACCOUNT);
    expect([...new Set(rights.map((right) => right.split(":")[0]))]).toEqual(where);
    const sees = rights.includes("cluster: list,watch namespaces");
    expect(sees).toBe("spark.jobNamespaceSelector" in values);
  });

  test("drivers may make executors, in the namespaces that are named", async () => {
    const values = { "spark.jobNamespaces": ["etl", "adhoc"] };
    const all = "get,list,watch,create,update,patch,delete,deletecollection";
    expect(rightsOf(await renderOperator(values), "spark-operator-spark")).toEqual(
      ["adhoc", "etl"].flatMap((namespace) =>
        ["configmaps", "persistentvolumeclaims", "pods", "services"].map((kind) => `${namespace}: ${all} ${kind}`),
      ),
    );
  });

  test("no rule has a wildcard", async () => {
    const rules = (await renderOperator(OPERATOR_VARIANTS["with all features"])).flatMap(({ rules = [] }) => rules);
    expect(rules.flatMap(rightLines).filter((line) => line.includes("*"))).toEqual([]);
  });

  test.each(["controller/_rules.tpl", "controller/rights.yaml", "spark/accounts.yaml", "hook/definitions.yaml"])(
    "each rule of %s says which feature needs it",
    (name) => {
      const { rules, unexplained } = unexplainedRules(join(OPERATOR_CHART, "templates", name));
      expect(rules).toBeGreaterThan(0);
      expect(unexplained).toEqual([]);
    },
  );
});
