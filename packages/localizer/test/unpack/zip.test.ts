import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { scratchFolder, type ScratchFolder } from "../support/scratch-folder.ts";
import { unpacked } from "../support/unpacked.ts";
import { zipBytes, type ZipMember } from "../support/zip-bytes.ts";

function modules(): ScratchFolder {
  const folder = scratchFolder();
  folder.write("m/package/__init__.py", "");
  folder.write("m/package/data.txt", "data ".repeat(40_000));
  folder.write("m/bin/run", "#!/bin/sh\n", 0o755);
  folder.write("m/größe.txt", "utf-8");
  return folder;
}

const ZIP = spawnSync("zip", ["-v"]).status === 0;
const JAR = spawnSync("jar", ["--version"]).status === 0;

test.skipIf(!ZIP)("what zip packs is unpacked as it was, with links and permissions", async () => {
  const folder = modules();
  symlinkSync("../package/data.txt", folder.at("m/bin/link"));
  execFileSync("zip", ["-qry", folder.at("a.zip"), "."], { cwd: folder.at("m") });
  expect(await unpacked(readFileSync(folder.at("a.zip")))).toEqual(folder.tree("m"));
});

test("what Python packs is unpacked as it was", async () => {
  const folder = modules();
  execFileSync("python3", ["-m", "zipfile", "-c", folder.at("a.zip"), "package", "bin", "größe.txt"], {
    cwd: folder.at("m"),
  });
  expect(await unpacked(readFileSync(folder.at("a.zip")))).toEqual(folder.tree("m"));
});

test.skipIf(!JAR)("what jar packs is unpacked", async () => {
  const folder = modules();
  // Java 17 cannot name "größe.txt" in a process without a locale.
  execFileSync("jar", ["cf", folder.at("a.jar"), "-C", folder.at("m"), "."], {
    env: { ...process.env, LC_ALL: "C.UTF-8" },
  });
  const tree = await unpacked(readFileSync(folder.at("a.jar")));
  expect(tree["package/data.txt"]).toBe(folder.tree("m")["package/data.txt"]);
  expect(tree["META-INF/MANIFEST.MF"]).toContain("Manifest-Version: 1.0");
});

test("an empty archive is one", async () => {
  expect(await unpacked(zipBytes([]))).toEqual({});
});

test("what says nothing of permissions has the usual ones", async () => {
  const members = [{ name: "d/" }, { name: "d/x", content: "1" }, { name: "y", unix: 0o100755, content: "2" }];
  expect(await unpacked(zipBytes(members))).toEqual({ "d/": "755", "d/x": "644 1", y: "755 2" });
});

test.each<[string, readonly ZipMember[], string]>([
  ["a path that leads out", [{ name: "../x" }], "invalid relative path"],
  ["an absolute path", [{ name: "/x" }], "absolute path"],
  ["a drive", [{ name: "C:/x" }], "absolute path"],
  ["a backslash", [{ name: "..\\x" }], "invalid characters"],
  [
    "a link where a file is",
    [{ name: "a" }, { name: "a", unix: 0o120777, content: "b" }],
    "where another one is already",
  ],
  ["a link that leads out", [{ name: "a", unix: 0o120777, content: "../x" }], "outside the archive"],
  ["a link to a process", [{ name: "a", unix: 0o120777, content: "/proc/1/environ" }], "where no archive may lead"],
  ["an enormous link", [{ name: "a", unix: 0o120777, content: "x".repeat(5000) }], "an enormous target"],
  [
    "writing through a link",
    [
      { name: "d", unix: 0o120777, content: "e" },
      { name: "d/x", content: "1" },
    ],
    "where another one is already",
  ],
  ["a device", [{ name: "a", unix: 0o060644 }], "neither a file, a directory nor a link"],
  ["a named pipe", [{ name: "a", unix: 0o010644 }], "neither a file, a directory nor a link"],
  ["a wrong checksum", [{ name: "a", content: "1", crc: 7 }], "wrong checksum"],
  ["a wrong checksum of a link", [{ name: "a", unix: 0o120777, content: "b", crc: 7 }], "wrong checksum"],
  [
    "more content than announced",
    [{ name: "a", content: "1".repeat(99), deflate: true, size: 5 }],
    "cannot be read: too many bytes",
  ],
  [
    "less content than announced",
    [{ name: "a", content: "1", deflate: true, size: 5 }],
    "cannot be read: not enough bytes",
  ],
  ["content that is not compressed and of another size", [{ name: "a", content: "1", size: 5 }], "cannot be read"],
  ["encryption", [{ name: "a", content: "1", deflate: true, flags: 1 }], "encrypted"],
  ["an unknown compression", [{ name: "a", content: "1", method: 12 }], "unsupported compression method"],
])("%s is refused", async (_, members, problem) => {
  await expect(unpacked(zipBytes(members))).rejects.toThrow(problem);
});

test("a bomb is refused by its ratio, its bytes, or its number of files", async () => {
  const bomb = zipBytes([{ name: "zeros", content: Buffer.alloc(20_000_000), deflate: true }]);
  await expect(unpacked(bomb)).rejects.toThrow("(limits.maxRatio)");
  await expect(unpacked(bomb, { maxRatio: 5000, maxUnpackedBytes: 1_000_000 })).rejects.toThrow(
    "(limits.maxUnpackedBytes)",
  );
  await expect(unpacked(zipBytes([{ name: "a" }, { name: "b" }]), { maxUnpackedFiles: 1 })).rejects.toThrow(
    "more than 1 files, links",
  );
});

test("an archive that is cut anywhere is refused", async () => {
  const whole = zipBytes([
    { name: "a", content: "hello", deflate: true },
    { name: "b", content: "1" },
  ]);
  for (let length = 1; length < whole.length; length += 7) {
    await expect(unpacked(whole.subarray(0, length)), String(length)).rejects.toThrow(/cannot be read|ends too early/);
  }
});
