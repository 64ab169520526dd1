// @ts-check
// `npm run test:nodes -- 24 26`: runs tests of the built packages with other versions of Node, and writes the results to
// nodes.json. docs/compatibility.md is made from it. Nothing is built again: the tests run what npm users get. Names of packages
// after the versions choose some: `npm run test:nodes -- 26 gateway`.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeExecutable } from "../../../deploy/node-executable.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const resultsFile = new URL("nodes.json", import.meta.url);
const PACKAGES = [
  ...["core-spec", "steps", "command-line", "kube", "localizer", "staging-client", "submit", "submit-cli"],
  ...["staging-server", "gateway", "submission-server", "operator"],
];

const args = process.argv.slice(2);
const versions = args.filter((arg) => /^\d/.test(arg));
const chosen = args.filter((arg) => !versions.includes(arg));
const unknown = chosen.filter((name) => !PACKAGES.includes(name));
if (versions.length === 0 || unknown.length > 0) {
  const usage = `usage: npm run test:nodes -- VERSION … [PACKAGE …]; the packages are ${PACKAGES.join(", ")}`;
  process.stderr.write(`${usage}\n`);
  process.exit(1);
}
for (const version of versions) {
  const result = testWith(nodeExecutable(version), chosen.length === 0 ? PACKAGES : chosen);
  keep(result);
  process.stdout.write(`${JSON.stringify(result)}\n`);
  if (Object.values(result.packages).some(({ failed }) => failed > 0)) process.exitCode = 1;
}

/**
 * Runs the tests of the packages with that Node. It is also first in PATH, for the programs that the tests start.
 *
 * @param {string} node
 * @param {readonly string[]} names of the packages
 * @returns {import("../compatibility.mjs").TriedNode}
 */
function testWith(node, names) {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1);
  const work = mkdtempSync(join(tmpdir(), "kindling-nodes-"));
  const report = join(work, "tests.json");
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const projects = names.flatMap((name) => ["--project", name]);
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    spawnSync(node, [vitest, "run", ...projects, ...reporters], { cwd: root, env, stdio: "inherit" });
    /** @type {import("../../tests/test-reports.mjs").VitestReport} */
    const { testResults } = JSON.parse(readFileSync(report, "utf8"));
    const packages = Object.fromEntries(names.map((name) => [name, { passed: 0, failed: 0 }]));
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
 * Adds a result. It replaces an older result of the same major version of Node; of the same version, only that of the same
 * packages.
 *
 * @param {import("../compatibility.mjs").TriedNode} result
 */
function keep(result) {
  /** @param {import("../compatibility.mjs").TriedNode} tried */
  const line = ({ node }) => Number(node.split(".", 1)[0]);
  /** @type {import("../compatibility.mjs").TriedNode[]} */
  const old = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, "utf8")) : [];
  const same = old.find(({ node, platform }) => node === result.node && platform === result.platform);
  const tried = Object.entries({ ...same?.packages, ...result.packages });
  const packages = Object.fromEntries(tried.toSorted(([a], [b]) => PACKAGES.indexOf(a) - PACKAGES.indexOf(b)));
  const others = old.filter((one) => line(one) !== line(result));
  const all = [...others, { ...result, packages }].toSorted((a, b) => line(a) - line(b));
  writeFileSync(resultsFile, `${JSON.stringify(all, undefined, 2)}\n`);
}
