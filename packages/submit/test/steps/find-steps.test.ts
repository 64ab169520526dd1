import { join } from "node:path";
import type { Step } from "@kindling/core-spec";
import { describe, expect, test } from "vitest";
import { systemOutside } from "@kindling/outside";
import { gather } from "../../src/index.ts";
import { caught } from "@kindling/test-kit/caught";
import { scratchFolder, type ScratchFolder } from "@kindling/test-kit/scratch-folder";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { bareEnv } from "@kindling/test-kit/bare-process";
import { annotating } from "../fixtures/annotating-step.ts";
import { submitTo } from "../fixtures/submission.ts";

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
