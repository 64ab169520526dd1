import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { describe, expect, test } from "vitest";
import { hasHelm, OPERATOR_CHART, WHERE_HELM_IS } from "../src/helm.ts";
import { KUBEFLOW_CHART, renderOperator } from "../src/operator.ts";
import type { Values } from "../src/render.ts";

type Schema = { readonly properties?: Readonly<Record<string, Schema>>; readonly $ref?: string };

const VALUES = parse(readFileSync(join(OPERATOR_CHART, "values.yaml"), "utf8")) as Values;
const SCHEMA = JSON.parse(readFileSync(join(OPERATOR_CHART, "values.schema.json"), "utf8")) as Schema;

/** Wrong values, and what their author must be told. */
const REFUSED: Readonly<Record<string, readonly [values: Values, said: RegExp]>> = {
  "a value of ours that there is not": [
    { "kindling.submission": 1 },
    /'\/kindling': additional properties 'submission'/,
  ],
  "a gateway that is none": [
    { "kindling.gateway": "kindling-gateway" },
    /kindling\/gateway': .* does not match pattern/,
  ],
  "a policy's value that there is not": [{ "admissionPolicy.enabled": true }, /properties 'enabled' not allowed/],
  "a number that is none": [{ "controller.workers": "many" }, /workers': 'many' does not match pattern/],
  "a switch that is none": [{ "controller.uiService.enable": "sure" }, /uiService\/enable': got string, want boolean/],
  "a time without a unit": [
    { "controller.leaderElection.leaseDuration": 15 },
    /leaseDuration': got number, want string/,
  ],
  "a list that is none": [{ "spark.jobNamespaces": "etl" }, /jobNamespaces': got string, want/],
  "a namespace": [{ "spark.jobNamespaces": ["Spark_Jobs"] }, /jobNamespaces\/0': 'Spark_Jobs' does not match pattern/],
  "a precision": [{ "controller.scheduledSparkApplicationTimestampPrecision": "hours" }, /Precision.*'seconds'/],
  "a budget for a single one": [
    { "controller.podDisruptionBudget.enable": true },
    /set controller.replicas to 2 or more/,
  ],
  "a single one that is spread": [{ "controller.topologySpreadConstraints": [{}] }, /set controller.replicas to 2/],
  "a copy of kubeflow's image": [
    { image: { registry: "registry.example", repository: "corp/spark-operator", tag: "2.5.1" } },
    /corp\/spark-operator:2\.5\.1 looks like a copy of kubeflow's operator.*copy docker\.io\/kindling\/operator/,
  ],
  "such a copy without a tag": [
    { "image.repository": "registry.example/corp/kubeflow-spark-operator/controller" },
    /kubeflow-spark-operator\/controller looks like a copy/,
  ],
  "a copy of an older one": [
    { image: { repository: "corp/spark-operator", tag: "v1beta2-1.4.6-3.5.0" } },
    /looks like a copy of kubeflow's operator/,
  ],
  "a monitor of no metrics": [
    { "prometheus.podMonitor.create": true, "prometheus.metrics.enable": false },
    /prometheus.podMonitor.create: there are no metrics/,
  ],
};

describe.skipIf(!hasHelm)(`values of the operator${WHERE_HELM_IS}`, () => {
  test.concurrent.each(Object.entries(REFUSED))("%s is refused, with what is wrong", async (_name, [values, said]) => {
    await expect(renderOperator(values)).rejects.toThrow(said);
  });

  test.each<Values>([
    { "controller.worker": 3, "webhook.port": 9443, certManager: { enable: true }, somethingElse: { a: 1 } },
    { "controller.replicas": "2", "image.tag": 7, "controller.featureGates": [] },
    { kindling: null, admissionPolicy: null, webhook: null, "spark.jobNamespaces": null },
  ])("%j is let through, as kubeflow's chart would", async (values) => {
    expect((await renderOperator(values)).some(({ kind }) => kind === "Deployment")).toBe(true);
  });
});

test("each default of kubeflow's is this chart's too, but for what has no effect here", () => {
  const changed = leaves(KUBEFLOW_CHART.values).filter(
    ([path, value]) => JSON.stringify(at(VALUES, path)) !== JSON.stringify(value),
  );
  const names = changed.map(([path]) => path.join("."));
  const ofGo = /^(?:webhook|certManager|controller\.(?:pprof|workqueueRateLimiter|logEncoder))(?:\.|$)/;
  expect(names.filter((name) => !ofGo.test(name))).toEqual([
    ...["image.registry", "image.repository", "hook.image.registry", "hook.image.repository"],
    ...["controller.kubeAPIQPS", "controller.kubeAPIBurst"],
  ]);
});

test("the schema knows each value", () => {
  const unknown = leaves(VALUES).filter(([path]) => {
    let schema: Schema | undefined = SCHEMA;
    for (const name of path) {
      // Everything below a free map is allowed.
      if (schema?.properties === undefined) return schema === undefined;
      schema = schema.properties[name];
    }
    return schema === undefined;
  });
  expect(unknown.map(([path]) => path.join("."))).toEqual([]);
});

test("NOTES.txt knows what is known", () => {
  const text = readFileSync(join(OPERATOR_CHART, "templates/_unread.tpl"), "utf8");
  const [, block = ""] = /define "kindling-operator.knownValues" }}\n([^]*?)\{\{/.exec(text) ?? [];
  const { top = [], ...sections } = parse(block) as Record<string, string[]>;
  const known = (schema: Schema | undefined): string[] => Object.keys(schema?.properties ?? {}).toSorted();
  expect(top).toEqual([...known(SCHEMA), "global"].toSorted());
  const without = ["logEncoder", "pprof", "workqueueRateLimiter"];
  for (const [section, names] of Object.entries(sections)) {
    const more = section === "controller" ? without : [];
    expect(names, section).toEqual([...known(SCHEMA.properties?.[section]), ...more].toSorted());
  }
});

/** All values that are no maps, and empty maps, with their paths. */
function leaves(values: unknown, path: readonly string[] = []): (readonly [path: readonly string[], value: unknown])[] {
  const isMap = typeof values === "object" && values !== null && !Array.isArray(values);
  if (!isMap || Object.keys(values).length === 0) return [[path, values]];
  return Object.entries(values).flatMap(([name, value]) => leaves(value, [...path, name]));
}

function at(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], values);
}
