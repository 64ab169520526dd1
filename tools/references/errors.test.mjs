// @ts-check
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { errorReference, ERRORS, TABLES } from "./error-reference.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(ERRORS, "utf8");

/** The files that declare codes. A code must be used in another file. */
const DECLARATIONS = new Set([
  "core-spec/src/errors.ts",
  "kube/src/errors/kube-error.ts",
  "staging-client/src/errors.ts",
  "staging-client/src/protocol/problem.ts",
  "submission-server/src/errors/problem.ts",
  "recorder/src/http/problem.ts",
  "localizer/src/report/localizer-error.ts",
]);
const sources = readdirSync(join(root, "packages"))
  .flatMap((name) => filesIn(`${name}/src`))
  .filter((path) => !DECLARATIONS.has(path))
  .map((path) => ({ path, text: readFileSync(join(root, "packages", path), "utf8") }));

/** @param {string} folder below packages */
function filesIn(folder) {
  // A package may contain only an executable.
  if (!existsSync(join(root, "packages", folder))) return [];
  return readdirSync(join(root, "packages", folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`);
}

test("the reference of errors is up to date", () => {
  expect(page, "run node tools/references/error-reference.mjs").toBe(errorReference());
});

test("no two tables have a code in common", () => {
  const codes = TABLES.flatMap(({ prefix, rows }) => rows.map(({ code }) => prefix + code));
  expect(new Set(codes).size).toBe(codes.length);
});

describe.each(TABLES.map((table) => [table.title, table]))("%s", (title, { rows, thrownIn }) => {
  const codes = rows.map(({ code }) => code);

  test("stands in the reference, each code once, and nothing else", () => {
    const [section = ""] = page.split(`\n## ${title}\n`).slice(1);
    const [table = ""] = section.split("\n## ");
    expect([...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, code]) => code)).toEqual(codes);
  });

  test.each(codes)("%s is in use", (code) => {
    expect(sources.some(({ path, text }) => path.startsWith(thrownIn) && text.includes(`"${code}"`))).toBe(true);
  });

  test("says what each means in one sentence", () => {
    for (const { code, cells } of rows) expect(cells.at(-1), code).toMatch(/^\S[^\n]*[^.\s]$/);
  });
});
