// @ts-check
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(join(root, "docs/rooms.md"), "utf8");
const map = readFileSync(join(root, "docs/architecture.md"), "utf8");

const [introduction = "", ...sections] = page.split(/^## /m);
/** The rows of each package's table, by the package's name. */
const rowsByPackage = new Map(sections.map((section) => [section.split("\n", 1).join(""), rowsOf(section)]));

/** The packages in the order of the code's map. */
const packages = [...map.matchAll(/^\| \[([a-z-]+)\]\(\.\.\/packages\//gm)].map(([, name = ""]) => name);
const withFolders = packages.filter((name) => foldersOf(name).length > 0);

/** @param {string} section */
function rowsOf(section) {
  return [...section.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, folder = "", text = ""]) => ({ folder, text }));
}

/**
 * The folders directly below `src`, and those of controllers, without empty ones, which git does not keep.
 *
 * @param {string} name of a package
 */
function foldersOf(name) {
  const src = join(root, "packages", name, "src");
  if (!existsSync(src)) return [];
  const files = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(src.length + 1));
  const folders = files.flatMap((file) => {
    const [room = "", below = "", ...rest] = file.split("/");
    if (below === "") return [];
    return room === "controllers" && rest.length > 0 ? [room, `${room}/${below}`] : [room];
  });
  return [...new Set(folders)].toSorted();
}

test("the page has a section for each package with folders, in the order of the code's map", () => {
  expect(withFolders.length).toBeGreaterThan(20);
  expect([...rowsByPackage.keys()]).toEqual(withFolders);
});

test("the page names each package without folders", () => {
  const without = packages.filter((name) => !withFolders.includes(name));
  expect(without.filter((name) => !introduction.includes(`[${name}](../packages/${name})`))).toEqual([]);
});

describe.each(withFolders)("the section of %s", (name) => {
  const rows = rowsByPackage.get(name) ?? [];

  test("has one row for each folder, and no other row", () => {
    expect(rows.map(({ folder }) => folder)).toEqual(foldersOf(name));
  });

  test("says in a sentence what the code of each folder does", () => {
    for (const { folder, text } of rows) expect(text, folder).toMatch(/^[A-Z][a-z]*s,? [^|]+[^.\s]\.$/);
  });
});

test("each line that looks like a row is one", () => {
  const lines = page.split("\n").filter((line) => line.startsWith("|") && !/^\| folder \||^\|---\|/.test(line));
  expect(lines).toHaveLength([...rowsByPackage.values()].flat().length);
});
