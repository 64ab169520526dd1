// @ts-check
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { pageFiles } from "../../benchmarks/page/page.mjs";
import { CLI_PAGE, cliReference } from "./cli-reference.mjs";
import { COMPATIBILITY_PAGE, compatibilityPage } from "./compatibility.mjs";
import { CHART_SCHEMA, chartSchema } from "./chart-settings.mjs";
import { CHART_VALUES_PAGES } from "./chart-values.mjs";
import { configurationReference, REFERENCE } from "./configuration-reference.mjs";
import { HTTP_PAGE, httpReference, recorderRoutes, stagingRoutes } from "./http-reference.mjs";
import { RECORDER_ROUTES, V0_ROUTES, V1_ROUTES } from "./http-routes.mjs";
import { METRICS_PAGE, metricsReference } from "./metrics-reference.mjs";
import { SETTINGS_PAGES } from "./service-settings.mjs";
import { SPARK_VERSIONS_PAGE, sparkVersionsPage } from "./spark-versions.mjs";
import { inOrder, PACKAGE_TABLES, withPackageTable } from "./package-table.mjs";
import { TROUBLESHOOTING_PAGE, troubleshooting } from "./troubleshooting.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
test("the reference of configuration keys is up to date", () => {
  expect(readFileSync(REFERENCE, "utf8"), "run node tools/references/configuration-reference.mjs").toBe(
    configurationReference(),
  );
});

test.each(CHART_VALUES_PAGES)(
  "the page of the values of $chart is up to date, and nothing is left unsaid",
  ({ page, text }) => {
    expect(readFileSync(page, "utf8"), "run node tools/references/chart-values.mjs").toBe(text());
  },
);

test("the chart's schema has all settings of the services", () => {
  expect(readFileSync(CHART_SCHEMA, "utf8"), "run node tools/references/chart-settings.mjs").toBe(chartSchema());
});

test("the page of Spark versions is up to date", () => {
  expect(readFileSync(SPARK_VERSIONS_PAGE, "utf8"), "run node tools/references/spark-versions.mjs").toBe(
    sparkVersionsPage(),
  );
});

test("the page of compatibility is up to date", () => {
  expect(readFileSync(COMPATIBILITY_PAGE, "utf8"), "run node tools/references/compatibility.mjs").toBe(
    compatibilityPage(),
  );
});

test("the reference of commands is up to date", () => {
  expect(readFileSync(CLI_PAGE, "utf8"), "run node tools/references/cli-reference.mjs").toBe(cliReference());
});

test.each(Object.entries(pageFiles()))("docs/%s shows the last figures", (path, text) => {
  expect(readFileSync(join(root, "docs", path), "utf8"), "run npm run bench -- --page").toBe(text);
});

test("the page of messages is up to date", () => {
  expect(readFileSync(TROUBLESHOOTING_PAGE, "utf8"), "run node tools/references/troubleshooting.mjs").toBe(
    troubleshooting(),
  );
});

test("the reference of metrics is up to date", async () => {
  expect(readFileSync(METRICS_PAGE, "utf8"), "run node tools/references/metrics-reference.mjs").toBe(
    await metricsReference(),
  );
});

test("the reference of HTTP APIs is up to date, and tells of each route", async () => {
  expect(readFileSync(HTTP_PAGE, "utf8"), "run node tools/references/http-reference.mjs").toBe(await httpReference());
  const routes = (await stagingRoutes()).map(({ name }) => name);
  expect(routes.toSorted()).toEqual([...Object.keys(V1_ROUTES), ...Object.keys(V0_ROUTES)].toSorted());
  expect((await recorderRoutes()).toSorted()).toEqual(Object.keys(RECORDER_ROUTES).toSorted());
});

test.each(PACKAGE_TABLES)("the table of packages in $page.pathname is up to date", ({ page, link }) => {
  const text = readFileSync(page, "utf8");
  expect(text, "run node tools/references/package-table.mjs").toBe(withPackageTable(text, link));
});

test("a package stands below all that it imports", () => {
  const packages = [
    { name: "a", imports: ["c"] },
    { name: "b", imports: [] },
    { name: "c", imports: ["b"] },
  ];
  expect(inOrder(packages).map(({ name }) => name)).toEqual(["b", "c", "a"]);
});

test.each(SETTINGS_PAGES)("the page of settings $page.pathname is up to date", ({ page, text }) => {
  expect(readFileSync(page, "utf8"), "run node tools/references/service-settings.mjs").toBe(text());
});

test.each(["core-spec", "operator", "steps", "submit"])("the example of %s runs", (name) => {
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
  const rows = [...security.matchAll(/^\| (C\d+) \|/gm)].map(([, id = ""]) => id);
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

const pages = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter(
    (page) => page !== "" && !page.endsWith("CHANGELOG.md") && !page.startsWith("packages/create-step/templates"),
  );

/**
 * The headings of a page as GitHub names them in links.
 *
 * @param {string} text
 */
function anchorsOf(text) {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-"),
  );
  return new Set([...headings, ...[...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id]) => id)]);
}

test.each(pages)("each link of %s inside the repository leads somewhere", (page) => {
  const text = readFileSync(join(root, page), "utf8").replace(/```[\s\S]*?```/g, "");
  const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const dead = links.filter((link) => {
    const [path = "", anchor] = link.split("#");
    const target = join(root, dirname(page), decodeURIComponent(path));
    if (!existsSync(target)) return true;
    return anchor !== undefined && target.endsWith(".md") && !anchorsOf(readFileSync(target, "utf8")).has(anchor);
  });
  expect(dead).toEqual([]);
});

test("CONTRIBUTING.md has a word for each script of the repository", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const wanted = Object.keys(scripts).filter((name) => !name.endsWith(":workspace"));
  expect(wanted.filter((name) => !text.includes(`npm run ${name}`) && !text.includes(`npm ${name}`))).toEqual([]);
});
