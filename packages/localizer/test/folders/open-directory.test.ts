import { renameSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openDirectory } from "../../src/folders/open-directory.ts";
import { scratchFolder } from "../support/scratch-folder.ts";

test("what is missing below the root is made", () => {
  const folder = scratchFolder();
  const root = folder.mkdir("root");
  openDirectory(root, `${root}/a/b`).close();
  openDirectory(root, `${root}/a/b`).close();
  openDirectory(root, root).close();
  expect(folder.tree("root")).toEqual({ "a/": "755", "a/b/": "755" });
});

test.runIf(process.platform === "linux")("what is opened stays the same, whatever becomes of the way to it", () => {
  const folder = scratchFolder();
  const root = folder.mkdir("root");
  const directory = openDirectory(root, `${root}/a`);
  renameSync(`${root}/a`, `${root}/b`);
  symlinkSync(folder.mkdir("outside"), `${root}/a`);
  writeFileSync(`${directory.path}/x`, "1");
  directory.close();
  expect(folder.tree()).toMatchObject({ "root/b/x": "644 1", "root/a": `-> ${folder.at("outside")}` });
  expect(folder.tree("outside")).toEqual({});
});

test("a link below the root is refused, one above it is not", () => {
  const folder = scratchFolder();
  folder.mkdir("volume/root");
  symlinkSync(folder.at("volume"), folder.at("mount"));
  symlinkSync(folder.at("volume"), folder.at("volume/root/link"));
  const root = folder.at("mount/root");
  openDirectory(root, `${root}/a`).close();
  expect(() => openDirectory(root, `${root}/link/a`)).toThrow(`${root}/link is a link or a file`);
});

test("a file in the way is refused", () => {
  const folder = scratchFolder();
  folder.write("root/file", "");
  expect(() => openDirectory(folder.at("root"), folder.at("root/file"))).toThrow("is a link or a file");
});

test("a root that does not exist is refused", () => {
  const folder = scratchFolder();
  expect(() => openDirectory(folder.at("no"), folder.at("no/a"))).toThrow(
    expect.objectContaining({ reason: "disk", hint: "each of roots has to be a directory that exists" }),
  );
});
