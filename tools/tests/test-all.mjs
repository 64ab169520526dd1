// @ts-check
// `npm run test:all`: runs every test of the repository, which takes hours. Names of suites after `--` select suites.
// `--summary FOLDER` writes the results for a new issue. A suite that fails is run a second time. This shows whether it fails
// by chance or always; both are failures.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SUITES } from "./test-all/suites.mjs";
import { tableOf, verdictOf } from "./test-all/table.mjs";
import { countReport } from "./test-reports.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const { values, positionals } = parseArgs({ allowPositionals: true, options: { summary: { type: "string" } } });
const unknown = positionals.filter((name) => SUITES.every((suite) => suite.name !== name));
if (unknown.length > 0) {
  process.stderr.write(
    `no such suite: ${unknown.join(", ")}; there are ${SUITES.map(({ name }) => name).join(", ")}\n`,
  );
  process.exit(1);
}
const suites = SUITES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const outcomes = suites.map(outcomeOf);
const failures = outcomes.flatMap(({ failures: lines = [] }) => lines);
const table = tableOf(outcomes);
const verdict = verdictOf(outcomes);
process.stdout.write(`\n${failures.map((line) => `${line}\n`).join("")}\n${table}`);
if (values.summary !== undefined) summarize(values.summary);
process.exitCode = verdict === undefined ? 0 : 1;

/**
 * @param {import("./test-all/suites.mjs").Suite} suite
 * @returns {import("./test-all/table.mjs").Outcome & { failures?: readonly string[] }}
 */
function outcomeOf(suite) {
  const leftOut = suite.lacks?.(process.env);
  if (leftOut !== undefined) return { name: suite.name, leftOut };
  const start = Date.now();
  const first = run(suite);
  const isFlake = first.failed > 0 && run(suite).failed === 0;
  return { name: suite.name, ...first, isFlake, seconds: (Date.now() - start) / 1000 };
}

/**
 * Runs a suite once, and counts its tests.
 *
 * @param {import("./test-all/suites.mjs").Suite} suite
 */
function run({ name, command: [program, ...args], env = {}, reports = [] }) {
  process.stdout.write(`\n== ${name}\n`);
  const folder = mkdtempSync(join(tmpdir(), "kindling-test-all-"));
  try {
    const all = { ...process.env, ...env, KINDLING_REPORTS: folder };
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    const { status } = spawnSync(program, args, { cwd: ROOT, env: given, stdio: "inherit" });
    const counts = reports.map((report) => countReport(folder, report));
    /** @param {"passed" | "failed"} member */
    const sum = (member) => counts.reduce((total, count) => total + count[member], 0);
    const isFine = status === 0;
    return {
      passed: sum("passed") + (reports.length === 0 && isFine ? 1 : 0),
      // A suite that exits with an error has failed, whatever its reports say.
      failed: Math.max(sum("failed"), isFine ? 0 : 1),
      failures: [...(isFine ? [] : [`${name}:`]), ...counts.flatMap((count) => count.failures)],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes the parts of an issue: its label and its text.
 *
 * @param {string} folder
 */
function summarize(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "label"), verdict ?? "");
  writeFileSync(join(folder, "summary.md"), `${table}\n\`\`\`\n${failures.join("\n")}\n\`\`\`\n`);
}
