import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { digestOf } from "@kindling/staging-client";
import { isUnpacked, MARKER, unpackArchive, type UnpackArchiveOptions } from "../../src/unpack/unpack-archive.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { tarBytes } from "../support/tar-bytes.ts";
import { CLOSED, LIMITS } from "../support/unpacked.ts";

const ARCHIVE = tarBytes([{ name: "bin/x", mode: 0o755, content: "1" }]);
const DIGEST = digestOf(ARCHIVE);
const OPTIONS: UnpackArchiveOptions = {
  limits: LIMITS,
  closed: CLOSED,
  digest: DIGEST,
  bootId: "boot-1",
  signal: new AbortController().signal,
  redact: (text) => text,
};

function setting() {
  const folder = scratchFolder();
  const archive = folder.write("archive", ARCHIVE);
  const target = { path: folder.mkdir("volume"), name: "env", shown: "/volume/env" };
  return { folder, archive, target };
}

test("an archive is unpacked with a marker, which says that it is there", async () => {
  const { folder, archive, target } = setting();
  expect(isUnpacked(target, DIGEST, "boot-1")).toBe(false);
  expect(await unpackArchive(archive, target, OPTIONS)).toBe(1);
  expect(Object.keys(folder.tree("volume"))).toEqual(["env/", `env/${MARKER}`, "env/bin/", "env/bin/x"]);
  expect(isUnpacked(target, DIGEST, "boot-1")).toBe(true);
});

test("it counts as missing when it is another one, or when the machine was started anew", async () => {
  const { archive, target } = setting();
  await unpackArchive(archive, target, OPTIONS);
  expect(isUnpacked(target, digestOf("other"), "boot-1")).toBe(false);
  expect(isUnpacked(target, DIGEST, "boot-2")).toBe(false);
});

test.each(["", "null", "[]", "no json"])("a marker of %j is none", async (content) => {
  const { folder, target } = setting();
  folder.write(`volume/env/${MARKER}`, content);
  expect(isUnpacked(target, DIGEST, "boot-1")).toBe(false);
});

test("a link in the place of an unpacked archive is none", async () => {
  const { folder, archive, target } = setting();
  await unpackArchive(archive, { ...target, path: folder.mkdir("elsewhere") }, OPTIONS);
  symlinkSync(folder.at("elsewhere/env"), folder.at("volume/env"));
  expect(isUnpacked(target, DIGEST, "boot-1")).toBe(false);
});

test("what was there, and what an earlier run left, is replaced", async () => {
  const { folder, archive, target } = setting();
  folder.write("volume/env/old", "old");
  folder.write("volume/.env.unpacking/half", "half");
  folder.write("volume/.env.replaced/older", "older");
  await unpackArchive(archive, target, OPTIONS);
  expect(readdirSync(folder.at("volume"))).toEqual(["env"]);
  expect(readdirSync(folder.at("volume/env")).sort()).toEqual([MARKER, "bin"]);
});

test("a link that an earlier user of the volume left is not followed", async () => {
  const { folder, archive, target } = setting();
  const outside = folder.mkdir("outside");
  writeFileSync(`${outside}/kept`, "");
  symlinkSync(outside, folder.at("volume/.env.unpacking"));
  symlinkSync(outside, folder.at("volume/env"));
  await unpackArchive(archive, target, OPTIONS);
  expect(readdirSync(outside)).toEqual(["kept"]);
  expect(folder.tree("volume/env")["bin/x"]).toBe("755 1");
});

test("an archive that is refused leaves what was there, and nothing else", async () => {
  const { folder, target } = setting();
  folder.write("volume/env/old", "old");
  const bad = folder.write("bad", tarBytes([{ name: "a", content: "1" }, { name: "../b" }]));
  await expect(unpackArchive(bad, target, OPTIONS)).rejects.toMatchObject({
    reason: "archive",
    message: 'the archive for /volume/env cannot be unpacked: it has an entry "../b", which leads out of the archive',
  });
  expect(folder.tree("volume")).toEqual({ "env/": "755", "env/old": "644 old" });
});

test("a directory that cannot be written to is named by the path that the user knows", async () => {
  const { folder, archive, target } = setting();
  mkdirSync(folder.at("volume/env"));
  await expect(unpackArchive(archive, { ...target, path: folder.at("missing") }, OPTIONS)).rejects.toMatchObject({
    reason: "disk",
    message: expect.stringMatching(
      /^cannot write \/volume\/env: ENOENT: no such file or directory \(mkdir\)$/,
    ) as string,
  });
});
