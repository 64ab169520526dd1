// @ts-check
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { countReport } from "./test-reports.mjs";

/** @param {object} report */
function folderWith(report) {
  const folder = mkdtempSync(join(tmpdir(), "kindling-reports-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "tests.json"), JSON.stringify(report));
  return folder;
}

test("a report of vitest is counted, with the first lines of each failure", () => {
  const failed = { status: "failed", fullName: "a pod runs", failureMessages: ["Error: no\n at 1\n at 2\n at 3"] };
  const testResults = [{ name: "pod.test.ts", message: "", assertionResults: [{ status: "passed" }, failed] }];
  const folder = folderWith({ numPassedTests: 1, numFailedTests: 1, success: false, testResults });
  expect(countReport(folder, "tests")).toEqual({
    passed: 1,
    failed: 1,
    failures: ["  a pod runs\n    Error: no\n     at 1\n     at 2"],
  });
});

test("a file that cannot be loaded has failed, and says why", () => {
  const testResults = [{ name: "pod.test.ts", message: "SyntaxError: )\nmore", assertionResults: [] }];
  const folder = folderWith({ numPassedTests: 0, numFailedTests: 0, success: false, testResults });
  expect(countReport(folder, "tests")).toEqual({ passed: 0, failed: 1, failures: ["  pod.test.ts: SyntaxError: )"] });
});

test("the report of the checks is counted", () => {
  expect(countReport(folderWith({ passed: 64, failed: 2 }), "tests")).toMatchObject({ passed: 64, failed: 2 });
});

test("a report that is not there is a failure", () => {
  expect(countReport(folderWith({}), "e2e")).toEqual({ passed: 0, failed: 1, failures: ["e2e: no report"] });
});
