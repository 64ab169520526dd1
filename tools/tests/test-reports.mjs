// @ts-check
// Reads test reports: those of vitest, and the one of tools/check.mjs. `node tools/tests/test-reports.mjs FOLDER NAME …` prints
// the failures of each report, and a last line with the counts of all.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * @typedef {object} Assertion
 * @property {string} status
 * @property {string} fullName
 * @property {readonly string[]} failureMessages
 */

/**
 * The members of the output of vitest's reporter "json" that are used.
 *
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {boolean} success
 * @property {readonly { name: string, status: string, message?: string, assertionResults: readonly Assertion[] }[]} testResults
 */

/** @typedef {{ passed: number, failed: number, testResults?: undefined }} ChecksReport what tools/check.mjs writes */

/**
 * Counts one report. A missing report is a failure, because the program that should have written it ended before.
 *
 * @param {string} folder the folder that `KINDLING_REPORTS` named
 * @param {string} name the report's name
 * @returns {{ passed: number, failed: number, failures: string[] }} with lines for each failure
 */
export function countReport(folder, name) {
  const file = join(folder, `${name}.json`);
  if (!existsSync(file)) return { passed: 0, failed: 1, failures: [`${name}: no report`] };
  /** @type {VitestReport | ChecksReport} */
  const report = JSON.parse(readFileSync(file, "utf8"));
  if (report.testResults === undefined) return { passed: report.passed, failed: report.failed, failures: [] };
  const failures = report.testResults.flatMap(({ name: path, message, assertionResults }) => [
    ...(message ? [`  ${path}: ${message.split("\n")[0]}`] : []),
    ...assertionResults.filter(({ status }) => status === "failed").map(failureOf),
  ]);
  return {
    passed: report.numPassedTests,
    // A file that cannot be loaded fails as a suite, without a test.
    failed: Math.max(report.numFailedTests, report.success ? 0 : 1),
    failures,
  };
}

/** @param {Assertion} assertion */
function failureOf({ fullName, failureMessages }) {
  const lines = failureMessages.join("\n").split("\n").slice(0, 3);
  return `  ${fullName}\n    ${lines.join("\n    ")}`;
}

/** @param {readonly string[]} args */
function main([folder = "", ...names]) {
  const total = { passed: 0, failed: 0 };
  for (const name of names) {
    const { passed, failed, failures } = countReport(folder, name);
    process.stdout.write([`${name}: ${passed} passed, ${failed} failed`, ...failures, ""].join("\n"));
    total.passed += passed;
    total.failed += failed;
  }
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
