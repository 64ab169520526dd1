// @ts-check
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { circleFaults } from "./import-direction.mjs";

/** @param {Readonly<Record<string, string>>} files texts by their paths below a package's sources */
function repository(files) {
  const root = mkdtempSync(join(tmpdir(), "kindling-imports-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, "packages/a/src", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return root;
}

test("finds nothing where imports point one way", () => {
  const root = repository({
    "index.ts": 'export { main } from "./run/main.ts";',
    "run/main.ts": 'import { read } from "../read/read.ts";',
    "read/read.ts": 'import { join } from "node:path";',
  });
  expect(circleFaults(root, "packages/a")).toEqual([]);
});

test("names files that import each other, at run time or for types alone", () => {
  const root = repository({
    "run/one.ts": 'import type { Two } from "./two.ts";',
    "run/two.ts": 'import {\n  three,\n} from "./three.ts";',
    "run/three.ts": 'const one = await import("./one.ts");',
    "run/four.ts": 'import { one } from "./one.ts";',
  });
  expect(circleFaults(root, "packages/a")).toEqual([
    "packages/a: files import each other: run/one.ts, run/three.ts, run/two.ts",
  ]);
});

test("names folders that import each other where no two files do", () => {
  const root = repository({
    "plan/plan.ts": 'import { read } from "../gather/read.ts";',
    "plan/input.ts": "export const input = 1;",
    "gather/read.ts": 'import { input } from "../plan/input.ts";',
  });
  expect(circleFaults(root, "packages/a")).toEqual(["packages/a: folders import each other: gather, plan"]);
});
