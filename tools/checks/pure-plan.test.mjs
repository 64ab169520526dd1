// @ts-check
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { impureImports, importsOf } from "./pure-plan.mjs";

/**
 * A repository with these files.
 *
 * @param {Readonly<Record<string, string>>} files texts by their paths
 */
function repository(files) {
  const root = mkdtempSync(join(tmpdir(), "kindling-pure-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const PLAN = "packages/submit/src/plan";

test("what a plan imports of Node is found however far away it is", () => {
  const root = repository({
    [`${PLAN}/a.ts`]: 'import { b } from "./b.ts";\nimport type { X } from "node:fs";\n',
    [`${PLAN}/b.ts`]: 'export { c } from "@kindling/steps";\n',
    "packages/steps/src/index.ts": 'export {\n  c,\n} from "./c.ts";\n',
    "packages/steps/src/c.ts": 'import { join } from "node:path";\n',
  });
  expect(impureImports(root, ["a.ts"])).toEqual([
    `${PLAN}/a.ts -> ${PLAN}/b.ts -> packages/steps/src/index.ts -> packages/steps/src/c.ts imports node:path`,
  ]);
});

test("so are modules that are loaded later, and packages that nobody knows", () => {
  const root = repository({
    [`${PLAN}/a.ts`]:
      'const fs = await import("fs");\nimport "@kindling/kube";\nprocess.getBuiltinModule("node:zlib");\n',
  });
  expect(impureImports(root, ["a.ts"])).toEqual([
    expect.stringContaining("@kindling/kube, which is not known to be pure"),
    expect.stringContaining("imports fs"),
    expect.stringContaining("imports node:zlib"),
  ]);
});

test("imports of types load nothing", () => {
  expect(importsOf('import type { A } from "node:fs";\nexport type { B } from "./b.ts";\n')).toEqual([]);
  expect(importsOf('import { type A } from "./a.ts";\nexport * from "./b.ts";\n')).toEqual(["./a.ts", "./b.ts"]);
});
