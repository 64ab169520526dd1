// @ts-check
// `npm run test:nodes -- 22 24`: runs tests of the built packages with other versions of Node, and writes the results to
// nodes.json. docs/compatibility.md is made from it. Nothing is built again: the tests run what npm users get.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const resultsFile = new URL("nodes.json", import.meta.url);
const PACKAGES = ["core-spec", "steps", "command-line", "kube", "localizer", "staging-client", "submit", "submit-cli"];

const wanted = process.argv.slice(2);
if (wanted.length === 0) {
  process.stderr.write("usage: npm run test:nodes -- VERSION …, such as 20.19.0 22 24\n");
  process.exit(1);
}
for (const version of wanted) {
  const node = fetchNode(version);
  const result = testWith(node);
  keep(result);
  process.stdout.write(`${JSON.stringify(result)}\n`);
  if (Object.values(result.packages).some(({ failed }) => failed > 0)) process.exitCode = 1;
}

/**
 * Fetches a Node of a version or range from the npm registry, and keeps it in .cache; returns its executable.
 *
 * @param {string} version
 */
function fetchNode(version) {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(root, ".cache", `${name}-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    const options = ["--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error", "--save-exact"];
    const { status } = spawnSync("npm", ["install", ...options, `${name}@${version}`], { stdio: "inherit" });
    if (status !== 0) {
      rmSync(folder, { recursive: true });
      throw new Error(`the npm registry gave no ${name}@${version}`);
    }
  }
  return join(folder, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
}

/**
 * Runs the tests of the packages with that Node. It is also first in PATH, for the programs that the tests start.
 *
 * @param {string} node
 * @returns {import("../compatibility.mjs").TriedNode}
 */
function testWith(node) {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1);
  const work = mkdtempSync(join(tmpdir(), "kindling-nodes-"));
  const report = join(work, "tests.json");
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const projects = PACKAGES.flatMap((name) => ["--project", name]);
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    spawnSync(node, [vitest, "run", ...projects, ...reporters], { cwd: root, env, stdio: "inherit" });
    /** @type {import("../../tests/test-reports.mjs").VitestReport} */
    const { testResults } = JSON.parse(readFileSync(report, "utf8"));
    const packages = Object.fromEntries(PACKAGES.map((name) => [name, { passed: 0, failed: 0 }]));
    for (const { name, status, assertionResults } of testResults) {
      const [, folder = ""] = /\/packages\/([^/]+)\//.exec(name) ?? [];
      const counts = packages[folder];
      if (counts === undefined) throw new Error(`${name} is of none of these packages`);
      const failed = assertionResults.filter((one) => one.status === "failed").length;
      counts.passed += assertionResults.filter((one) => one.status === "passed").length;
      // A file that cannot be loaded has no failed test, but counts as one failure.
      counts.failed += status === "failed" ? Math.max(failed, 1) : 0;
    }
    return { node: version, platform: `${process.platform}-${process.arch}`, packages };
  } finally {
    rmSync(work, { recursive: true });
  }
}

/**
 * Adds a result. It replaces an older result of the same major version of Node.
 *
 * @param {import("../compatibility.mjs").TriedNode} result
 */
function keep(result) {
  /** @param {import("../compatibility.mjs").TriedNode} tried */
  const line = ({ node }) => Number(node.split(".", 1)[0]);
  /** @type {import("../compatibility.mjs").TriedNode[]} */
  const old = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, "utf8")) : [];
  const all = [...old.filter((one) => line(one) !== line(result)), result].toSorted((a, b) => line(a) - line(b));
  writeFileSync(resultsFile, `${JSON.stringify(all, undefined, 2)}\n`);
}
