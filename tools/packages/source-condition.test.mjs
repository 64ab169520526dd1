// @ts-check
// The tests of one package see a change of another package without a build. Users of the published packages do not notice this.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { importedPackages } from "./manifests.mjs";
import { packedPackages } from "./packed-packages.mjs";
import { SOURCE_CONDITION, withSources } from "./source-condition.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

test.each(importedPackages(root).map(({ folder, manifest }) => ({ folder, entries: manifest.exports ?? {} })))(
  "each entry of $folder has its source",
  ({ folder, entries }) => {
    expect(entries, "run node tools/packages/source-condition.mjs").toEqual(withSources(entries));
    const sources = Object.values(entries).flatMap((targets) =>
      typeof targets === "string" ? [] : (targets[SOURCE_CONDITION] ?? []),
    );
    expect(sources.filter((path) => !path.includes("*") && !existsSync(join(root, folder, path)))).toEqual([]);
  },
);

test("what has no source, or has one already, stays as it is", () => {
  expect(withSources({ "./package.json": "./package.json", "./x": { default: "./x.js" } })).toEqual({
    "./package.json": "./package.json",
    "./x": { default: "./x.js" },
  });
  const once = withSources({ ".": { types: "./dist/a/index.d.ts", default: "./dist/a.js" } });
  expect(Object.entries(once["."] ?? {})).toEqual([
    ["types", "./dist/a/index.d.ts"],
    [SOURCE_CONDITION, "./src/a/index.ts"],
    ["default", "./dist/a.js"],
  ]);
  expect(withSources(once)).toEqual(once);
});

test("no package is published with it", () => {
  for (const [name, tarball] of packedPackages(root)) {
    const manifest = execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" });
    expect(manifest, name).not.toContain(SOURCE_CONDITION);
  }
}, 300_000);
