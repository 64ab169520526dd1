import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { removeTree } from "../../src/folders/remove-tree.ts";
import { scratchFolder } from "../support/scratch-folder.ts";

test("a file, a link, and nothing at all are removed as they are", async () => {
  const folder = scratchFolder();
  folder.write("kept/x", "x");
  folder.write("file", "x");
  symlinkSync(folder.at("kept"), folder.at("link"));
  for (const name of ["file", "link", "missing"]) await removeTree(folder.at(name));
  expect(folder.tree()).toEqual({ "kept/": "755", "kept/x": "644 x" });
});

test("a tree goes whole, and links in it are not followed", async () => {
  const folder = scratchFolder();
  folder.write("kept/x", "x");
  folder.write("t/a/b/c", "x");
  folder.write("t/.0", "a name that is used on the way");
  symlinkSync(folder.at("kept"), folder.at("t/a/link"));
  mkdirSync(folder.at("t/empty"));
  await removeTree(folder.at("t"));
  expect(folder.tree()).toEqual({ "kept/": "755", "kept/x": "644 x" });
});

test("neither depth nor names longer than any path matter", async () => {
  const folder = scratchFolder();
  const part = "n".repeat(200);
  // The path from its top would be too long, so each step moves the existing tree into a new directory.
  folder.write("t/bottom", "x");
  for (let depth = 0; depth < 300; depth++) {
    mkdirSync(folder.at("up"));
    renameSync(folder.at("t"), folder.at(`up/${part}`));
    renameSync(folder.at("up"), folder.at("t"));
  }
  await removeTree(folder.at("t"));
  expect(readdirSync(folder.path)).toEqual([]);
});

test("names that are no text, many of them, and closed directories are no obstacle", async () => {
  const folder = scratchFolder();
  mkdirSync(folder.at("t/closed"), { recursive: true });
  for (let index = 0; index < 3000; index++) writeFileSync(folder.at(`t/${index}`), "");
  writeFileSync(Buffer.concat([Buffer.from(folder.at("t/closed/")), Buffer.from([0xff, 0xfe])]), "");
  chmodSync(folder.at("t/closed"), 0);
  await removeTree(folder.at("t"));
  expect(existsSync(folder.at("t"))).toBe(false);
});

test("it stops when it is told to", async () => {
  const folder = scratchFolder();
  mkdirSync(folder.at("t"));
  for (let index = 0; index < 1000; index++) writeFileSync(folder.at(`t/${index}`), "");
  const stop = AbortSignal.abort(new Error("stop"));
  await expect(removeTree(folder.at("t"), stop)).rejects.toThrow("stop");
  expect(readdirSync(folder.at("t")).length).toBeGreaterThan(0);
});
