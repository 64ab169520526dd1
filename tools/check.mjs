// Everything about the repository that is no test of behaviour: types, lint, format, unused code, the direction of
// imports, and whether the published packages are right. Each check is one line; a failed one prints its output.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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

function run(name, command, args, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: "utf8" });
  report(name, status === 0, error === undefined ? stdout + stderr : error.message);
}

run("types", bin("tsc"), ["-b"]);
for (const folder of [...workspaces, "recordings"]) {
  for (const config of ["tsconfig.test.json", ...(folder === "recordings" ? ["tsconfig.json"] : [])]) {
    if (existsSync(join(root, folder, config)))
      run(`types of ${folder}/${config}`, bin("tsc"), ["-p", join(folder, config)]);
  }
}
run("lint", bin("oxlint"), ["--type-aware"]);
run("format", bin("oxfmt"), ["--check"]);
run("unused files, exports and dependencies", bin("knip"), ["--no-progress"]);
const faults = layerFaults(root, workspaces);
report("imports point one way", faults.length === 0, faults.join("\n"));
const circles = workspaces.flatMap((folder) => circleFaults(root, folder));
report("no circles of imports inside a package", circles.length === 0, circles.join("\n"));
const comparisons = versionComparisons(root, workspaces);
report("Spark versions are compared in one table", comparisons.length === 0, comparisons.join("\n"));
const planning = readdirSync(join(root, PURE_FOLDER), { recursive: true }).filter((name) => name.endsWith(".ts"));
const impure = impureImports(root, planning);
report("planning touches nothing", impure.length === 0, impure.join("\n"));
for (const folder of published) {
  run(`publint ${folder}`, bin("publint"), ["--strict", "."], join(root, folder));
  run(
    `types as published ${folder}`,
    bin("attw"),
    ["--pack", ".", "--profile", "esm-only", "--format", "ascii"],
    join(root, folder),
  );
}

const failed = results.filter(({ ok }) => !ok).length;
process.stdout.write(`checks: ${results.length - failed} passed, ${failed} failed\n`);
if (process.env.KINDLING_REPORTS !== undefined) {
  writeFileSync(
    join(process.env.KINDLING_REPORTS, "checks.json"),
    JSON.stringify({ passed: results.length - failed, failed }),
  );
}
process.exitCode = failed === 0 ? 0 : 1;
