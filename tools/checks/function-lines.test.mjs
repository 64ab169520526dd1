// @ts-check
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "function-lines-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** @param {number} count */
const lines = (count) => "  one();\n".repeat(count - 2);

/**
 * What the repository's lint reports about the length of functions in a file.
 *
 * @param {string} name of the file
 * @param {string} text in it
 */
const saidOf = (name, text) => {
  writeFileSync(join(folder, name), text);
  const lint = join(root, "node_modules", ".bin", "oxlint");
  const { stdout } = spawnSync(lint, ["-c", join(root, ".oxlintrc.json"), "-f", "unix", "."], {
    cwd: folder,
    encoding: "utf8",
  });
  return stdout.split("\n").flatMap((line) => /(\d+):\d+: .*too many lines \((\d+)\)/.exec(line)?.slice(1, 3) ?? []);
};

test.each([
  ["a.ts", `export function f() {\n${lines(81)}}\n`],
  ["a.test.ts", `function f() {\n${lines(81)}}\n`],
  ["a.test.ts", `test("one", () => {\n${lines(81)}});\n`],
  ["a.test.mjs", `test.each([1])("one", () => {\n${lines(81)}});\n`],
  ["a.e2e.ts", `test("one", async () => {\n${lines(81)}});\n`],
])("a function of 81 lines is too long: %s %#", (name, text) => {
  expect(saidOf(name, text)).toEqual(["1", "81"]);
});

test.each([
  ["a.ts", `export function f() {\n${lines(80)}}\n`],
  ["a.test.ts", `test("one", () => {\n${lines(80)}});\n`],
])("one of 80 is not: %s", (name, text) => expect(saidOf(name, text)).toEqual([]));

test.each([
  `describe("one", () => {\n${lines(300)}});\n`,
  `describe.each([1])("one", () => {\n${lines(300)}});\n`,
  `describe.skipIf(true)("one", () => {\n${lines(300)}});\n`,
])("a describe may be as long as it likes: %#", (text) => expect(saidOf("a.test.ts", text)).toEqual([]));

test("what stands in a describe may not", () => {
  expect(saidOf("a.test.ts", `describe("one", () => {\ntest("two", () => {\n${lines(90)}});\n});\n`)).toEqual([
    "2",
    "90",
  ]);
});
