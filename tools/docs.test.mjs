import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { pageFiles } from "../benchmarks/page/page.mjs";
import { configurationReference, REFERENCE } from "./configuration-reference.mjs";
import { SPARK_VERSIONS_PAGE, sparkVersionsPage } from "./spark-versions.mjs";
import { STAGING_SETTINGS_PAGE, stagingSettingsPage } from "./staging-settings.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const pages = [
  "",
  "docs",
  "benchmarks",
  "contrib/_template",
  "deploy/images",
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}`),
]
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
  .filter((path) => path.endsWith(".md") && !path.endsWith("CHANGELOG.md"));

test("the reference of configuration keys is up to date", () => {
  expect(readFileSync(REFERENCE, "utf8"), "run node tools/configuration-reference.mjs").toBe(configurationReference());
});

test("the page of Spark versions is up to date", () => {
  expect(readFileSync(SPARK_VERSIONS_PAGE, "utf8"), "run node tools/spark-versions.mjs").toBe(sparkVersionsPage());
});

test("the page of the staging server's settings is up to date", () => {
  const hint = "run node tools/staging-settings.mjs";
  expect(readFileSync(STAGING_SETTINGS_PAGE, "utf8"), hint).toBe(stagingSettingsPage());
});

test.each(Object.entries(pageFiles()))("docs/%s shows the last figures", (path, text) => {
  expect(readFileSync(join(root, "docs", path), "utf8"), "run npm run bench -- --page").toBe(text);
});

test.each(pages)("every link of %s leads somewhere", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, path]) => path);
  expect(links.filter((path) => !existsSync(join(root, dirname(page), path)))).toEqual([]);
});

test.each(["core-spec", "steps", "submit"])("the example of %s runs", (name) => {
  const cwd = join(root, "packages", name);
  const [, example] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(cwd, "README.md"), "utf8")) ?? [];
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-"], {
    cwd,
    input: example,
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
});

const security = readFileSync(join(root, "docs/security.md"), "utf8");
const linkedTests = [
  ...new Set([...security.matchAll(/\]\(\.\.\/([^)]+\.(?:test|e2e)\.ts)\)/g)].map(([, path = ""]) => path)),
];

test("each credential of docs/security.md has tests of its number, and each such test its row", () => {
  const rows = [...security.matchAll(/^\| (C\d+) \|/gm)].map(([, id]) => id);
  const titles = linkedTests.flatMap((path) => [
    ...readFileSync(join(root, path), "utf8").matchAll(/^\s*(?:\]\))?(?:it|test)?\(\s*"((?:C\d+, )*C\d+): /gm),
  ]);
  const tested = new Set(titles.flatMap(([, ids = ""]) => ids.split(", ")));
  expect(new Set(rows).size).toBe(rows.length);
  expect([...tested].toSorted()).toEqual(rows.toSorted());
});

test("each promise and attack of docs/security.md names its tests", () => {
  const [, ...sections] = security.split(/^## /m);
  const tables = sections.filter((section) => /^(What is printed|Attacks)/.test(section));
  const rows = tables.flatMap((section) =>
    section.split("\n").filter((line) => /^\| (?!-|Attack \||Promise \|)/.test(line)),
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((row) => !/\]\([^)]+\.(?:test|e2e)\.ts\)[^|]*\|$/.test(row))).toEqual([]);
});
