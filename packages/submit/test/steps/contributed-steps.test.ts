import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Step } from "@kindling/core-spec";
import type { ConfigMap, Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { caught } from "@kindling/test-kit/caught";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { annotating } from "../fixtures/annotating-step.ts";
import { submitTo, type SubmitCall } from "../fixtures/submission.ts";

const manifest = (fields: object): string => JSON.stringify({ name: "kindling-cost", version: "1.0.0", ...fields });

/** Submits with the given modules, and returns the pod. */
async function podWith(files: Readonly<Record<string, string>>, steps: string, call: SubmitCall = {}): Promise<Pod> {
  const cluster = await TestCluster.start();
  await submitTo(cluster, { ...call, conf: { "spark.kindling.steps": steps }, cwd: scratchFolder(files).path });
  const [pod] = await cluster.objects<Pod>("Pod");
  if (pod === undefined) throw new Error("there is no pod");
  return pod;
}

describe("a submission", () => {
  test("has what steps add, by key and by the request", async () => {
    const files = { "b.mjs": `export default ${annotating("b")};` };
    const given: Step = {
      name: "given",
      configureDriver: (spec) => ({
        ...spec,
        driverPod: {
          ...spec.driverPod,
          metadata: { ...spec.driverPod.metadata, labels: { ...spec.driverPod.metadata?.labels, given: "yes" } },
        },
      }),
    };
    const pod = await podWith(files, "./b.mjs", { name: "etl", steps: [given] });
    expect(pod.metadata?.annotations).toEqual({ b: "etl" });
    expect(pod.metadata?.labels?.["given"]).toBe("yes");
  });

  test("runs a step behind the built-in ones, or where its wishes put it", async () => {
    const seen = (name: string, wishes: string): string => `{
      name: "${name}", ${wishes}
      configureDriver(spec) {
        const before = Object.keys(spec.driverPod.metadata.annotations ?? {}).length;
        const metadata = { ...spec.driverPod.metadata };
        metadata.annotations = { ...metadata.annotations, "${name}": [spec.driverContainer.args === undefined ? "early" : "late", before].join(" ") };
        return { ...spec, driverPod: { ...spec.driverPod, metadata } };
      },
    }`;
    const pod = await podWith(
      {
        "steps.mjs": `export default [
          ${seen("last", 'after: ["first", "unknown"],')},
          ${seen("first", "")},
          ${seen("early", 'after: ["basic"], before: ["driver-command"],')},
        ];`,
      },
      "./steps.mjs",
    );
    expect(pod.metadata?.annotations).toEqual({ early: "early 0", first: "late 1", last: "late 2" });
  });

  test("does not hand Kindling's own keys to the driver", async () => {
    const cluster = await TestCluster.start();
    const { path } = scratchFolder({ "a.mjs": `export default ${annotating("a")};` });
    await submitTo(cluster, {
      conf: { "spark.kindling.steps": "./a.mjs", "spark.kindling.cost.center": "42" },
      cwd: path,
    });
    const [configMap] = await cluster.objects<ConfigMap>("ConfigMap");
    expect(configMap?.data?.["spark.properties"]).toContain("spark.app.name=");
    expect(configMap?.data?.["spark.properties"]).not.toContain("kindling");
  });
});

describe("a step that does what it must not is refused before anything is created", () => {
  const refused = async (source: string): Promise<{ code: string; message: string; hint: string | undefined }> => {
    const cluster = await TestCluster.start();
    const { path } = scratchFolder({ "bad.mjs": source });
    const error = await caught(submitTo(cluster, { conf: { "spark.kindling.steps": "./bad.mjs" }, cwd: path }));
    expect(cluster.api.writes).toEqual([]);
    expect(error.message).not.toContain("\n");
    return error;
  };
  const step = (body: string): string =>
    `export default { name: "bad", configureDriver(spec, submission) { ${body} } };`;

  test.each([
    [
      "changes",
      "return { ...spec, driverContainer: { ...spec.driverContainer, image: 'mine' } };",
      "step bad changes driverContainer.image, which step basic set",
    ],
    [
      "drops",
      "return { ...spec, driverContainer: { ...spec.driverContainer, ports: [] } };",
      "step bad drops driverContainer.ports[driver-rpc-port], which step basic set",
    ],
    [
      "changes a key of",
      "return { ...spec, driverSparkConf: { ...spec.driverSparkConf, 'spark.app.name': 'mine' } };",
      "step bad changes driverSparkConf[spark.app.name], which the configuration set",
    ],
  ])("%s what another step set: both steps and the field are named", async (_, body, message) => {
    expect(await refused(step(body))).toMatchObject({ code: "STEP_NOT_ADDITIVE", message });
  });

  test.each([
    [
      "throws",
      "throw new Error('no cost centre');",
      { code: "STEP_FAILED", message: "step bad failed: no cost centre" },
    ],
    ["throws what is no error", "throw 'plain';", { code: "STEP_FAILED", message: "step bad failed: plain" }],
    ["stumbles", "return spec.nothing.there;", { code: "STEP_FAILED" }],
    ["returns a number", "return 1;", { code: "STEP_INVALID" }],
    ["returns null", "return null;", { code: "STEP_INVALID" }],
    ["returns another object", "return { pod: spec.driverPod };", { code: "STEP_INVALID" }],
    ["returns a promise", "return Promise.resolve(spec);", { code: "STEP_INVALID" }],
    [
      "returns no list of resources",
      "return { ...spec, otherKubernetesResources: undefined };",
      { code: "STEP_NOT_ADDITIVE" },
    ],
    [
      "adds a resource without a name",
      "return { ...spec, otherKubernetesResources: [...spec.otherKubernetesResources, { apiVersion: 'v1', kind: 'Secret' }] };",
      { code: "STEP_INVALID" },
    ],
  ])("%s", async (_, body, expected) => {
    expect(await refused(step(body))).toMatchObject(expected);
  });

  test("wishes an order that cannot be", async () => {
    const error = await refused(
      `export default [${annotating("a", 'after: ["b"],')}, ${annotating("b", 'after: ["a"],')}];`,
    );
    expect(error).toMatchObject({ code: "STEP_ORDER", message: expect.stringContaining("a, b") });
  });

  test("has the name of another", async () => {
    expect(await refused(`export default ${annotating("basic")};`)).toMatchObject({
      code: "STEP_INVALID",
      message: "there are two steps called basic",
    });
  });
});

test("a step that brings its own copy of core-spec can throw errors for the user", async () => {
  const folder = scratchFolder({
    "node_modules/kindling-cost/package.json": manifest({ type: "module", exports: "./main.js" }),
    "node_modules/kindling-cost/main.js": `
      import { KindlingError } from "@kindling/core-spec";
      export default {
        name: "cost",
        configureDriver() {
          throw new KindlingError("CONF_MISSING", "spark.kindling.cost.center is not set", { hint: "ask finance" });
        },
      };`,
  });
  const original = dirname(fileURLToPath(import.meta.resolve("@kindling/core-spec/package.json")));
  const copy = join(folder.path, "node_modules/kindling-cost/node_modules/@kindling/core-spec");
  mkdirSync(copy, { recursive: true });
  for (const part of ["package.json", "dist"]) cpSync(join(original, part), join(copy, part), { recursive: true });

  const cluster = await TestCluster.start();
  const error = await caught(
    submitTo(cluster, { conf: { "spark.kindling.steps": "kindling-cost" }, cwd: folder.path }),
  );
  expect(error).toMatchObject({
    code: "CONF_MISSING",
    message: "spark.kindling.cost.center is not set",
    hint: "ask finance",
  });
});
