// @ts-check
// Checks everything about the repository except its behaviour: types, lint, format, unused code, the direction of imports, and
// whether the published packages are right. Each check prints one line; a failed check also prints its output.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { circleFaults } from "./checks/import-direction.mjs";
import { layerFaults } from "./checks/layers.mjs";
import { impureImports, PURE_FOLDER } from "./checks/pure-plan.mjs";
import { manifestFaults, typeFaults } from "./checks/package-faults.mjs";
import { packedPackages } from "./packages/packed-packages.mjs";
import { checkedFiles, faultLine, plainEnglishFaults } from "./checks/plain-english.mjs";
import { versionComparisons } from "./checks/version-comparisons.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** @param {string} name */
const bin = (name) => join(root, "node_modules", ".bin", name);
const workspaces = ["packages", "apps", "contrib"]
  .flatMap((folder) =>
    existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => join(folder, name)) : [],
  )
  .filter((folder) => existsSync(join(root, folder, "package.json")));

/** @type {{ name: string, ok: boolean }[]} */
const results = [];

/**
 * @param {string} name
 * @param {boolean} ok
 * @param {string} [output] printed if the check has failed
 */
function report(name, ok, output = "") {
  results.push({ name, ok });
  process.stdout.write(`${ok ? "ok    " : "FAILED"} ${name}\n`);
  if (!ok) process.stdout.write(`${output.trimEnd()}\n`);
}

/**
 * @param {string} name
 * @param {readonly string[]} faults
 */
function reportFaults(name, faults) {
  report(name, faults.length === 0, faults.join("\n"));
}

/**
 * Runs a command to its end. Its output is printed if it fails.
 *
 * @param {string} name
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<void>}
 */
function run(name, command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.once("error", (error) => {
      report(name, false, error.message);
      resolve();
    });
    child.once("close", (status) => {
      if (child.pid !== undefined) report(name, status === 0, output);
      resolve();
    });
  });
}

/**
 * Runs commands in order, as many at the same time as there are processors.
 *
 * @param {readonly (() => Promise<void>)[]} jobs
 */
async function runAll(jobs) {
  const waiting = jobs.values();
  const worker = async () => {
    for (const job of waiting) await job();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

// The types of tests are checked against the output of this.
await run("types", bin("tsc"), ["-b"]);
const typesOfTests = [...workspaces.map((folder) => `${folder}/tsconfig.test.json`), "recordings/tsconfig.json"];
const jobs = [
  () => run("types of tests", bin("tsc"), ["-b", ...typesOfTests.filter((path) => existsSync(join(root, path)))]),
  () => run("types of tools and benchmarks", bin("tsc"), ["-b", "tools", "benchmarks"]),
  () => run("lint", bin("oxlint"), ["--type-aware"]),
  () => run("unused files, exports and dependencies", bin("knip"), ["--no-progress"]),
  () => run("format", bin("oxfmt"), ["--check"]),
  () =>
    run("what packages promise, as their reports say it", process.execPath, [
      "tools/packages/api-reports.mjs",
      "--check",
    ]),
  async () => {
    for (const [name, tarball] of packedPackages(root)) {
      reportFaults(`publint ${name}`, await manifestFaults(tarball));
      reportFaults(`types as published ${name}`, await typeFaults(tarball));
    }
  },
];
await runAll(jobs);
reportFaults("imports point one way", layerFaults(root, workspaces));
const circles = workspaces.flatMap((folder) => circleFaults(root, folder));
reportFaults("no circles of imports inside a package", circles);
reportFaults("Spark versions are compared in one table", versionComparisons(root, workspaces));
const planning = readdirSync(join(root, PURE_FOLDER), { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".ts"),
);
reportFaults("planning touches nothing", impureImports(root, planning));
reportFaults("comments and pages are in plain English", plainEnglishFaults(root, checkedFiles(root)).map(faultLine));

const failed = results.filter(({ ok }) => !ok).length;
process.stdout.write(`checks: ${results.length - failed} passed, ${failed} failed\n`);
if (process.env.KINDLING_REPORTS !== undefined) {
  writeFileSync(
    join(process.env.KINDLING_REPORTS, "checks.json"),
    JSON.stringify({ passed: results.length - failed, failed }),
  );
}
process.exitCode = failed === 0 ? 0 : 1;
