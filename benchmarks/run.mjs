// @ts-check
// Runs benchmarks by name, or all one after the other, writes their tables to results/, and generates docs/benchmarks.md from
// them.
import { mkdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BENCHMARKS } from "./catalogue.mjs";
import { describeMachine } from "./harness/machine.mjs";
import { RESULTS, writePage } from "./page/page.mjs";

const USAGE = `usage: npm run bench -- all | NAME …     needs an idle machine
       npm run bench -- --list
       npm run bench -- --page           makes docs/benchmarks.md of the results that are there
options: --output FOLDER                 writes the tables there, and leaves the page as it is
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean" }, page: { type: "boolean" }, output: { type: "string" } },
});
/** @typedef {import("./catalogue.mjs").Benchmark} Benchmark */

/** @param {Benchmark} benchmark */
const missing = ({ without }) => without.filter((name) => (process.env[name] ?? "") === "");

if (values.list === true) list();
else if (values.page === true) writePage();
else await measure(positionals);

function list() {
  for (const one of BENCHMARKS) {
    const unset = missing(one);
    const note = unset.length === 0 ? "" : `   [would be left out: ${unset.join(" and ")} not set]`;
    process.stdout.write(`${one.name.padEnd(20)} ${one.compares.split(/[.;:] /, 1)[0]}${note}\n`);
  }
}

/** @param {readonly string[]} names */
async function measure(names) {
  const unknown = names.filter((name) => name !== "all" && BENCHMARKS.every((one) => one.name !== name));
  if (names.length === 0 || unknown.length > 0) {
    process.stderr.write(unknown.length > 0 ? `no such benchmark: ${unknown.join(", ")}\n\n${USAGE}` : USAGE);
    process.exitCode = 1;
    return;
  }
  const folder = values.output ?? fileURLToPath(RESULTS);
  mkdirSync(folder, { recursive: true });
  for (const one of BENCHMARKS.filter(({ name }) => names.includes("all") || names.includes(name))) {
    const unset = missing(one);
    if (unset.length > 0) process.stdout.write(`\n${one.name}: left out, because ${unset.join(" and ")} is not set\n`);
    else await measureOne(one, folder);
  }
  if (values.output === undefined) writePage();
}

/**
 * If a benchmark fails, the following ones still run.
 *
 * @param {Benchmark} benchmark
 * @param {string} folder of the results
 */
async function measureOne({ name, load }, folder) {
  process.stdout.write(`\n${name}: running\n`);
  try {
    const run = await load();
    const tables = await run(folder);
    const where = describeMachine(os, process.versions.node);
    process.stdout.write(`${name} (${where})\n\n${tables}`);
    writeFileSync(join(folder, `${name}.md`), `${where}\n\n${tables}`);
  } catch (error) {
    process.stdout.write(`${name}: failed: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  }
}
