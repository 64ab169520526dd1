import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Step } from "@kindling/core-spec";
import type { ConfigMap, Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { systemOutside } from "@kindling/outside";
import { gather } from "../../src/index.ts";
import { caught } from "@kindling/test-kit/caught";
import { scratchFolder, type ScratchFolder } from "@kindling/test-kit/scratch-folder";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { bareEnv } from "@kindling/test-kit/bare-process";
import { submitTo, type SubmitCall } from "../fixtures/submission.ts";

/** The source of a step that puts its name among the driver pod's annotations. */
function annotating(name: string, more = ""): string {
  return `{
    name: ${JSON.stringify(name)}, ${more}
    configureDriver(spec, submission) {
      const metadata = { ...spec.driverPod.metadata };
      metadata.annotations = { ...metadata.annotations, ${JSON.stringify(name)}: submission.appName };
      return { ...spec, driverPod: { ...spec.driverPod, metadata } };
    },
  }`;
}

const load = (folder: ScratchFolder, names: string): Promise<readonly Step[]> => stepsNamed(names, folder.path);

/** The steps that a configuration names, looked for from a folder. */
async function stepsNamed(names: string, cwd: string): Promise<readonly Step[]> {
  const request = {
    application: { resource: "local:///app.py" },
    conf: { "spark.kindling.steps": names, "spark.kubernetes.container.image": "spark:4.3.0" },
  };
  const outside = { ...systemOutside(), env: bareEnv(), cwd };
  return (await gather(request, outside, "this-machine", { connection: { kind: "none" } })).steps;
}

const namesOf = async (folder: ScratchFolder, names: string): Promise<string[]> =>
  (await load(folder, names)).map(({ name }) => name);

const manifest = (fields: object): string => JSON.stringify({ name: "kindling-cost", version: "1.0.0", ...fields });

describe("a step is found", () => {
  test.each<[string, string, Readonly<Record<string, string>>]>([
    ["as an ES module", "./cost.mjs", { "cost.mjs": `export default ${annotating("cost")};` }],
    ["as an ES module that awaits", "./cost.mjs", { "cost.mjs": `await null; export default ${annotating("cost")};` }],
    ["as a CommonJS module", "./cost.cjs", { "cost.cjs": `module.exports = ${annotating("cost")};` }],
    ["as a CommonJS module's default", "./cost.cjs", { "cost.cjs": `exports.default = ${annotating("cost")};` }],
    [
      "as what a compiler makes of an ES module",
      "./cost.cjs",
      {
        "cost.cjs": `Object.defineProperty(exports, "__esModule", { value: true }); exports.default = ${annotating("cost")};`,
      },
    ],
    ["as one of a list", "./cost.mjs", { "cost.mjs": `export default [${annotating("cost")}];` }],
    ["without its file's extension", "./cost", { "cost.js": `module.exports = ${annotating("cost")};` }],
    ["in a folder", "./cost", { "cost/index.js": `module.exports = ${annotating("cost")};` }],
    [
      "in a folder with a manifest",
      "./cost",
      {
        "cost/package.json": manifest({ type: "module", main: "lib.js" }),
        "cost/lib.js": `export default ${annotating("cost")};`,
      },
    ],
    [
      "in a package by its main file",
      "kindling-cost",
      {
        "node_modules/kindling-cost/package.json": manifest({ main: "main.js" }),
        "node_modules/kindling-cost/main.js": `module.exports = ${annotating("cost")};`,
      },
    ],
    [
      "in a package for ES modules alone",
      "kindling-cost",
      {
        "node_modules/kindling-cost/package.json": manifest({
          type: "module",
          exports: { ".": { import: "./main.js" } },
        }),
        "node_modules/kindling-cost/main.js": `export default ${annotating("cost")};`,
      },
    ],
    [
      "in a package for ES modules alone, which says so in short",
      "kindling-cost",
      {
        "node_modules/kindling-cost/package.json": manifest({
          exports: { types: "./main.d.ts", import: { node: "./main.mjs" } },
        }),
        "node_modules/kindling-cost/main.mjs": `export default ${annotating("cost")};`,
      },
    ],
    [
      "behind a path in a package of a scope",
      "@team/steps/cost",
      {
        "node_modules/@team/steps/package.json": manifest({ exports: { "./cost": { import: "./src/cost.mjs" } } }),
        "node_modules/@team/steps/src/cost.mjs": `export default ${annotating("cost")};`,
      },
    ],
  ])("%s", async (_, name, files) => {
    expect(await namesOf(scratchFolder(files), name)).toEqual(["cost"]);
  });

  test("from a folder further up", async () => {
    const folder = scratchFolder({
      "node_modules/kindling-cost/package.json": manifest({ exports: { import: "./main.mjs" } }),
      "node_modules/kindling-cost/main.mjs": `export default ${annotating("cost")};`,
    });
    const [step] = await stepsNamed("kindling-cost", folder.mkdir("a/b"));
    expect(step?.name).toBe("cost");
  });

  test("by an absolute path with blanks", async () => {
    const folder = scratchFolder({ "some folder/co st.mjs": `export default ${annotating("cost")};` });
    expect(await namesOf(folder, join(folder.path, "some folder/co st.mjs"))).toEqual(["cost"]);
  });

  test("in the order of the list, each with all that its module exports", async () => {
    const folder = scratchFolder({
      "one.mjs": `export default [${annotating("a")}, ${annotating("b")}];`,
      "two.mjs": `export default ${annotating("c")};`,
    });
    expect(await namesOf(folder, " ./two.mjs , ./one.mjs,")).toEqual(["c", "a", "b"]);
  });
});

describe("a step that cannot be had is an error that names it", () => {
  test.each<[string, string, Readonly<Record<string, string>>, object]>([
    [
      "a package that is not there",
      "kindling-cost",
      {},
      {
        code: "STEP_NOT_FOUND",
        message: "--steps kindling-cost: there is no such module",
        hint: expect.stringContaining("npm install kindling-cost"),
      },
    ],
    [
      "a path where nothing is",
      "./cost.js",
      {},
      { code: "STEP_NOT_FOUND", message: "--steps ./cost.js: there is no such module", hint: "check the path" },
    ],
    [
      "a package without what is asked for",
      "kindling-cost/other",
      { "node_modules/kindling-cost/package.json": manifest({ exports: { ".": { import: "./main.mjs" } } }) },
      { code: "STEP_NOT_FOUND" },
    ],
    [
      "a module that throws",
      "./cost.mjs",
      { "cost.mjs": "throw new Error('out of order');" },
      {
        code: "STEP_INVALID",
        message: expect.stringMatching(/^--steps \.\/cost\.mjs: .*cost\.mjs cannot be loaded: out of order$/),
      },
    ],
    [
      "a module that is no JavaScript",
      "./cost.mjs",
      { "cost.mjs": "export default {" },
      { code: "STEP_INVALID", message: expect.stringContaining("cannot be loaded: ") },
    ],
    [
      "a module that needs another",
      "./cost.mjs",
      { "cost.mjs": "import 'no-such-package';" },
      { code: "STEP_INVALID", message: expect.stringContaining("no-such-package") },
    ],
    [
      "a module without a default",
      "./cost.mjs",
      { "cost.mjs": "export const step = 1;" },
      {
        code: "STEP_INVALID",
        message: "--steps ./cost.mjs: its default export is no step",
        hint: expect.stringContaining("configureDriver"),
      },
    ],
    [
      "a default that is no step",
      "./cost.mjs",
      { "cost.mjs": "export default { name: 'cost' };" },
      { code: "STEP_INVALID" },
    ],
    [
      "a step with a name that is none",
      "./cost.mjs",
      { "cost.mjs": "export default { name: 'Cost!', configureDriver: (s) => s };" },
      { code: "STEP_INVALID" },
    ],
    [
      "nothing among steps",
      "./cost.mjs",
      { "cost.mjs": `export default [${annotating("cost")}, undefined];` },
      { code: "STEP_INVALID" },
    ],
    ["JSON", "./cost.json", { "cost.json": "{}" }, { code: "STEP_INVALID" }],
  ])("%s", async (_, name, files, expected) => {
    const error = await caught(load(scratchFolder(files), name));
    expect(error).toMatchObject(expected);
    expect(error.message).not.toContain("\n");
  });

  test("and nothing is created", async () => {
    const cluster = await TestCluster.start();
    await caught(submitTo(cluster, { conf: { "spark.kindling.steps": "./absent.js" }, cwd: scratchFolder().path }));
    expect(cluster.api.writes).toEqual([]);
  });
});

/** Submits with the given modules; the pod that came of it. */
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
