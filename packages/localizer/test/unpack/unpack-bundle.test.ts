import { readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Limits } from "../../src/config/localizer-config.ts";
import { unpackBundle } from "../../src/unpack/unpack-bundle.ts";
import { scratchFolder, type ScratchFolder } from "../support/scratch-folder.ts";
import { paxRecord, tarBytes, type TarMember } from "../support/tar-bytes.ts";
import { LIMITS } from "../support/unpacked.ts";

async function unpack(
  folder: ScratchFolder,
  members: readonly TarMember[],
  limits: Partial<Limits> = {},
): Promise<number> {
  const archive = folder.write("bundle", gzipSync(tarBytes(members)));
  const options = {
    limits: { ...LIMITS, maxRatio: 1_000_000, ...limits },
    signal: new AbortController().signal,
    redact: (text: string) => text,
  };
  return await unpackBundle(archive, { path: folder.mkdir("volume"), shown: "/volume" }, folder.at("work"), options);
}

test("the files of a bundle stand in its directory, beside those that were there", async () => {
  const members = [
    { name: "a.jar", content: "1", mode: 0o600 },
    { name: "b c.txt", content: "2" },
  ];
  const folder = scratchFolder();
  folder.write("volume/other", "x");
  expect(await unpack(folder, members)).toBe(2);
  expect(readdirSync(folder.path).sort()).toEqual(["bundle", "volume"]);
  expect(folder.tree("volume")).toEqual({ "a.jar": "644 1", "b c.txt": "644 2", other: "644 x" });
});

test.each<[string, TarMember[], string]>([
  ["../x", [{ name: "../x" }], "it is in a directory"],
  ["an absolute path", [{ name: "/x" }], "it is in a directory"],
  ["a/../../x", [{ name: "a/../../x" }], "it is in a directory"],
  ["a directory's file", [{ name: "d/x" }], "it is in a directory"],
  ["..", [{ name: ".." }], 'it has a part ".."'],
  ["a drive", [{ name: "C:\\x" }], "it has a control character or one of"],
  ["a line break", [{ name: "a\nb" }], "it has a control character"],
  ["a name that is not in normal form", [{ name: "u\u0308" }], "normalization form C"],
  ["no name", [{ name: "" }], "it is empty"],
  [
    "a name of 4 KiB",
    [{ name: "p", type: "x", content: paxRecord("path", "n".repeat(4096)) }, { name: "a" }],
    "longer than",
  ],
  ["the same name twice", [{ name: "a" }, { name: "a" }], 'two entries "a"'],
  ["names that differ in case", [{ name: "a.jar" }, { name: "A.jar" }], "or names that differ only in case"],
  ["a symbolic link", [{ name: "a", type: "2", link: "b" }], "a symbolic link, and no regular file"],
  ["a hard link", [{ name: "a" }, { name: "b", type: "1", link: "a" }], "a hard link, and no regular file"],
  ["a directory", [{ name: "d/", type: "5" }], "a directory, and no regular file"],
  ["a device", [{ name: "a", type: "3" }], "a character device, and no regular file"],
])("a bundle with %s is refused whole, before anything of it appears", async (_, members, problem) => {
  const folder = scratchFolder();
  await expect(unpack(folder, [{ name: "first", content: "1" }, ...members])).rejects.toMatchObject({
    reason: "archive",
    message: expect.stringContaining(problem) as string,
  });
  expect(readdirSync(folder.path).sort()).toEqual(["bundle", "volume"]);
  expect(folder.tree("volume")).toEqual({});
});

test("a bundle of more files than any list of dependencies has is refused", { timeout: 120_000 }, async () => {
  const folder = scratchFolder();
  const members = Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}` }));
  await expect(unpack(folder, members, { maxUnpackedFiles: 100_000 })).rejects.toMatchObject({
    message: expect.stringContaining("it has more than 10000 files") as string,
  });
  expect(readdirSync(folder.path).sort()).toEqual(["bundle", "volume"]);
});
