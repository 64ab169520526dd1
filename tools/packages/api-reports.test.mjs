// @ts-check
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiReports } from "./api-reports.mjs";

const root = mkdtempSync(join(tmpdir(), "kindling-api-test-"));
const folder = join(root, "packages", "one");
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** @param {string} text what the package declares */
const declare = (text) => writeFileSync(join(folder, "dist", "index.d.ts"), text);

beforeAll(() => {
  mkdirSync(join(folder, "dist"), { recursive: true });
  mkdirSync(join(folder, "api"));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "one", version: "0.1.0", type: "module", exports: { ".": { types: "./dist/index.d.ts" } } }),
  );
  declare("/** Waits.\n * @param ms how long */\nexport declare function wait(ms: number): Promise<Buffer>;\n");
  writeFileSync(join(folder, "api", "gone.api.md"), "an entry of before");
});

test("a report says what can be imported, and a change of it is seen", () => {
  const found = apiReports(root, { write: false }).map(({ report }) => report);
  expect(found).toEqual(["packages/one/api/index.api.md", "packages/one/api/gone.api.md"]);
  apiReports(root, { write: true });
  expect(readdirSync(join(folder, "api"))).toEqual(["index.api.md"]);
  expect(readFileSync(join(folder, "api", "index.api.md"), "utf8")).toContain(
    "export function wait(ms: number): Promise<Buffer>;",
  );
  expect(apiReports(root, { write: false })).toEqual([]);

  declare("/** Waits, as it is said better now. */\nexport declare function wait(ms: number): Promise<Buffer>;\n");
  expect(apiReports(root, { write: false })).toEqual([]);
  declare("/** Waits. */\nexport declare function wait(ms: number, unit: string): Promise<Buffer>;\n");
  expect(apiReports(root, { write: false })).toEqual([
    {
      report: "packages/one/api/index.api.md",
      change:
        "-export function wait(ms: number): Promise<Buffer>;\n+export function wait(ms: number, unit: string): Promise<Buffer>;",
    },
  ]);
});
