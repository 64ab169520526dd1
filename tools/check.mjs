// Everything about the repository that is no test of behaviour: types, lint, format, unused code, the direction of
// imports, and whether the published packages are right. Each check is one line; a failed one prints its output.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { circleFaults } from "./import-direction.mjs";
import { layerFaults } from "./layers.mjs";
import { impureImports, PURE_FOLDER } from "./pure-plan.mjs";
import { withPinnedPnpm } from "./pinned-pnpm.mjs";
import { versionComparisons } from "./version-comparisons.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
// publint packs with pnpm.
const env = withPinnedPnpm(root);
const bin = (name) => join(root, "node_modules", ".bin", name);
const workspaces = ["packages", "apps", "contrib"]
  .flatMap((folder) =>
    existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => join(folder, name)) : [],
  )
  .filter((folder) => existsSync(join(root, folder, "package.json")));
const published = workspaces.filter(
  (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")).private !== true,
);

const results = [];

function report(name, ok, output = "") {
  results.push({ name, ok });
  process.stdout.write(`${ok ? "ok    " : "FAILED"} ${name}\n`);
  if (!ok) process.stdout.write(`${output.trimEnd()}\n`);
}

/** Runs a command to its end; what it printed is told if it fails. */
function run(name, command, args, cwd = root) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
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

/** Functions that run commands: in order, as many at a time as there are processors. */
async function runAll(jobs) {
  const waiting = jobs.values();
  const worker = async () => {
    for (const job of waiting) await job();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

// The types of tests are checked against what this makes.
await run("types", bin("tsc"), ["-b"]);
const jobs = [
  () => run("lint", bin("oxlint"), ["--type-aware"]),
  () => run("unused files, exports and dependencies", bin("knip"), ["--no-progress"]),
  () => run("format", bin("oxfmt"), ["--check"]),
  () => run("what packages promise, as their reports say it", process.execPath, ["tools/api-reports.mjs", "--check"]),
];
for (const folder of [...workspaces, "recordings"]) {
  for (const config of ["tsconfig.test.json", ...(folder === "recordings" ? ["tsconfig.json"] : [])]) {
    if (existsSync(join(root, folder, config)))
      jobs.push(() => run(`types of ${folder}/${config}`, bin("tsc"), ["-p", join(folder, config)]));
  }
}
for (const folder of published) {
  // One after the other: both pack the folder.
  jobs.push(async () => {
    await run(`publint ${folder}`, bin("publint"), ["--strict", "."], join(root, folder));
    await run(
      `types as published ${folder}`,
      bin("attw"),
      ["--pack", ".", "--profile", "esm-only", "--format", "ascii"],
      join(root, folder),
    );
  });
}
await runAll(jobs);
const faults = layerFaults(root, workspaces);
report("imports point one way", faults.length === 0, faults.join("\n"));
const circles = workspaces.flatMap((folder) => circleFaults(root, folder));
report("no circles of imports inside a package", circles.length === 0, circles.join("\n"));
const comparisons = versionComparisons(root, workspaces);
report("Spark versions are compared in one table", comparisons.length === 0, comparisons.join("\n"));
const planning = readdirSync(join(root, PURE_FOLDER), { recursive: true }).filter((name) => name.endsWith(".ts"));
const impure = impureImports(root, planning);
report("planning touches nothing", impure.length === 0, impure.join("\n"));

const failed = results.filter(({ ok }) => !ok).length;
process.stdout.write(`checks: ${results.length - failed} passed, ${failed} failed\n`);
if (process.env.KINDLING_REPORTS !== undefined) {
  writeFileSync(
    join(process.env.KINDLING_REPORTS, "checks.json"),
    JSON.stringify({ passed: results.length - failed, failed }),
  );
}
process.exitCode = failed === 0 ? 0 : 1;
