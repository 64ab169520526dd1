import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, readFileSync, symlinkSync, truncateSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { ArchiveFault } from "../../src/unpack/archive-entry.ts";
import { scratchFolder, tree, type ScratchFolder } from "../support/scratch-folder.ts";
import { paxRecord, tarBytes, type TarMember } from "../support/tar-bytes.ts";
import { unpacked } from "../support/unpacked.ts";

/** Something like a packed Python environment. */
function environment(): ScratchFolder {
  const folder = scratchFolder();
  folder.write("env/bin/python3.11", "#!/bin/sh\n", 0o755);
  symlinkSync("python3.11", folder.at("env/bin/python"));
  folder.write("env/lib/libz.so.1.3", "z".repeat(70_000));
  symlinkSync("libz.so.1.3", folder.at("env/lib/libz.so"));
  mkdirSync(folder.at("env/share/terminfo"), { recursive: true });
  symlinkSync("../../lib", folder.at("env/share/terminfo/up"));
  linkSync(folder.at("env/lib/libz.so.1.3"), folder.at("env/lib/libz-hard.so"));
  folder.write(`env/${"long-directory-name/".repeat(8)}${"n".repeat(120)}.py`, "pass");
  folder.write("env/größe – 数据.txt", "utf-8");
  folder.write("env/empty", "");
  folder.write("env/setuid", "x", 0o4755);
  chmodSync(folder.at("env/setuid"), 0o6755);
  mkdirSync(folder.at("env/closed"));
  folder.write("env/closed/inside", "y", 0o400);
  chmodSync(folder.at("env/closed"), 0o555);
  return folder;
}

/** The expected result: no set-id bits, directories that their owner can write to, files that everybody can read. */
function expected(folder: ScratchFolder): Record<string, string> {
  return { ...folder.tree("env"), "closed/": "755", "closed/inside": "444 y", setuid: "755 x" };
}

const PACKERS: readonly (readonly [string, string, string])[] = [
  ["GNU format", "tar", "--format=gnu"],
  ["pax format", "tar", "--format=posix"],
  ["gzip", "tar", "--gzip"],
  ["bsdtar", "bsdtar", "-z"],
];

test.each(PACKERS.filter(([, program]) => spawnSync(program, ["--version"]).status === 0))(
  "what tar packs is unpacked as it was: %s",
  async (_, program, option) => {
    const folder = environment();
    execFileSync(program, [option, "-cf", folder.at("archive"), "-C", folder.at("env"), "."]);
    expect(await unpacked(readFileSync(folder.at("archive")))).toEqual(expected(folder));
  },
);

test.each(["USTAR_FORMAT", "GNU_FORMAT", "PAX_FORMAT"])(
  "what Python packs is unpacked as it was: %s",
  async (format) => {
    const folder = environment();
    // ustar has no room for the longest of the names.
    const most = format === "USTAR_FORMAT" ? 240 : 4096;
    const script = `
import sys, tarfile
with tarfile.open(sys.argv[1], "w:gz", format=tarfile.${format}) as archive:
    archive.add(sys.argv[2], arcname=".", filter=lambda member: member if len(member.name) < ${most} else None)
`;
    execFileSync("python3", ["-c", script, folder.at("archive"), folder.at("env")]);
    const packed = Object.entries(expected(folder)).filter(([name]) => name.length < most);
    expect(await unpacked(readFileSync(folder.at("archive")))).toEqual(Object.fromEntries(packed));
  },
);

test("the older form without a magic is read, and directories that only a slash marks", async () => {
  const archive = tarBytes([
    { name: "d/", magic: "", mode: 0o755 },
    { name: "d/x", magic: "", content: "1" },
    { name: "y", type: "\0", magic: "", content: "2" },
    { name: "z", type: "7", content: "3" },
  ]);
  expect(await unpacked(archive)).toEqual({ "d/": "755", "d/x": "644 1", y: "644 2", z: "644 3" });
});

test("extended headers count for one entry, global ones for all", async () => {
  const archive = tarBytes([
    { name: "g", type: "g", content: paxRecord("comment", "hello") + paxRecord("mtime", "1.5") },
    { name: "p", type: "x", content: paxRecord("path", "päth") },
    { name: "a", content: "1" },
    { name: "b", content: "2" },
  ]);
  expect(await unpacked(archive)).toEqual({ päth: "644 1", b: "644 2" });
});

test("an archive of several gzip members is one", async () => {
  const tar = tarBytes([{ name: "a", content: "1" }]);
  const archive = Buffer.concat([gzipSync(tar.subarray(0, 700)), gzipSync(tar.subarray(700))]);
  expect(await unpacked(archive)).toEqual({ a: "644 1" });
});

test.each<[string, readonly TarMember[], string]>([
  ["a path that leads out", [{ name: "../x" }], "leads out of the archive"],
  ["a path that leads out in the middle", [{ name: "a/../../x" }], "leads out of the archive"],
  ["an absolute path", [{ name: "/x" }], "has an absolute path"],
  ["no name", [{ name: "" }], "has no name"],
  [
    "a NUL in an extended header",
    [{ name: "p", type: "x", content: paxRecord("path", "a\0b") }, { name: "a" }],
    "has a NUL",
  ],
  [
    "an extended header that leads out",
    [{ name: "p", type: "x", content: paxRecord("path", "../x") }, { name: "a" }],
    "leads out",
  ],
  ["a GNU long name that leads out", [{ name: "L", type: "L", content: "../x\0" }, { name: "a" }], "leads out"],
  [
    "a name of more than 4096 bytes",
    [{ name: "p", type: "x", content: paxRecord("path", "d/".repeat(2050)) }, { name: "a" }],
    "more than 4096 bytes",
  ],
  [
    "a part of more than 255 bytes",
    [{ name: "p", type: "x", content: paxRecord("path", "n".repeat(256)) }, { name: "a" }],
    "255",
  ],
  [
    "a name that is not UTF-8",
    [{ name: "p", type: "L", content: Buffer.from([0xff, 0xfe, 0]) }, { name: "a" }],
    "not UTF-8",
  ],
  ["a link where a file is", [{ name: "a" }, { name: "./a", type: "2", link: "b" }], "where another one is already"],
  ["a file below a file", [{ name: "a" }, { name: "a/b" }], "where another one is already"],
  ["a directory where a file is", [{ name: "a" }, { name: "a", type: "5" }], "where another one is already"],
  ["a link that leads out", [{ name: "a", type: "2", link: "../x" }], "outside the archive"],
  ["a link to a process", [{ name: "a", type: "2", link: "/proc/self/environ" }], "where no archive may lead"],
  ["a link to everything", [{ name: "a", type: "2", link: "/" }], "where no archive may lead"],
  ["a link to nothing", [{ name: "a", type: "2", link: "" }], "which is no path"],
  [
    "an escape through a link to the directory above",
    [
      { name: "d/up", type: "2", link: ".." },
      { name: "d/out", type: "2", link: "up/../x" },
    ],
    "has .. after its beginning",
  ],
  [
    "writing through a link",
    [
      { name: "d", type: "2", link: "." },
      { name: "d/x", content: "1" },
    ],
    "where another one is already",
  ],
  [
    "writing over a link",
    [
      { name: "d", type: "2", link: "e" },
      { name: "d", content: "1" },
    ],
    "where another one is already",
  ],
  ["a hard link that leads out", [{ name: "a", type: "1", link: "../x" }], "leads out of the archive"],
  ["a hard link to an absolute path", [{ name: "a", type: "1", link: "/etc/passwd" }], "has an absolute path"],
  ["a hard link to a later entry", [{ name: "a", type: "1", link: "b" }, { name: "b" }], "no earlier file of it"],
  [
    "a hard link to a symbolic link",
    [
      { name: "l", type: "2", link: "x" },
      { name: "a", type: "1", link: "l" },
    ],
    "no earlier file of it",
  ],
  [
    "a hard link through a symbolic link",
    [{ name: "d/x" }, { name: "l", type: "2", link: "d" }, { name: "a", type: "1", link: "l/x" }],
    "no earlier file of it",
  ],
  ["a link with content", [{ name: "a", type: "2", link: "b", content: "x" }], "is a link with content"],
  ["a character device", [{ name: "a", type: "3" }], "is a character device"],
  ["a block device", [{ name: "a", type: "4" }], "is a block device"],
  ["a named pipe", [{ name: "a", type: "6" }], "is a named pipe"],
  ["a GNU sparse file", [{ name: "a", type: "S" }], "is a sparse file"],
  ["a type that nobody knows", [{ name: "a", type: "Z" }], 'unknown type "Z"'],
  ["the reserved name", [{ name: ".marker" }], "a name that is reserved"],
  ["a file as the archive's own directory", [{ name: "." }], "is no directory"],
  ["a wrong checksum", [{ name: "a", checksum: 1 }], "wrong checksum"],
  ["a size that is larger than the archive", [{ name: "a", size: 5000, content: "x" }], "ends too early"],
  ["a size that is smaller than the content", [{ name: "a", size: 0, content: "x".repeat(600) }], "wrong checksum"],
  ["an enormous long name", [{ name: "a", type: "L", size: 1_000_000, content: "x" }], "enormous name"],
  ["a loop of long names without end", [{ name: "a", type: "L", content: "b\0" }], "after an extended header"],
  ["a damaged extended header", [{ name: "a", type: "x", content: "99 path=x\n" }, { name: "b" }], "is damaged"],
  ["an extended header without a length", [{ name: "a", type: "x", content: "path=x\n" }, { name: "b" }], "is damaged"],
  [
    "an extended header's negative size",
    [{ name: "a", type: "x", content: paxRecord("size", "-1") }, { name: "b" }],
    "an invalid size",
  ],
  [
    "a pax sparse file",
    [{ name: "a", type: "x", content: paxRecord("GNU.sparse.major", "1") }, { name: "b" }],
    "sparse file",
  ],
])("%s is refused", async (_, members, problem) => {
  await expect(unpacked(tarBytes(members))).rejects.toThrow(problem);
});

test("sparse files of GNU tar are refused in both of its forms", async () => {
  for (const format of ["gnu", "posix"]) {
    const folder = scratchFolder();
    truncateSync(folder.write("f/sparse", ""), 10_000_000);
    execFileSync("tar", ["--sparse", `--format=${format}`, "-cf", folder.at("a.tar"), "-C", folder.at("f"), "."]);
    await expect(unpacked(readFileSync(folder.at("a.tar")))).rejects.toThrow("sparse file");
  }
});

test("of a file that is there twice, the later one counts, and a hard link keeps the earlier one", async () => {
  const members = [
    { name: "pyvenv.cfg", content: "first" },
    { name: "kept", type: "1", link: "pyvenv.cfg" },
    { name: "./pyvenv.cfg", content: "second", mode: 0o755 },
  ];
  expect(await unpacked(tarBytes(members))).toEqual({ kept: "644 first", "pyvenv.cfg": "755 second" });
});

test("links into the image are kept, and nobody follows them here", async () => {
  const outside = scratchFolder();
  outside.write("kept", "kept");
  const link = { name: "out", type: "2", link: outside.at(".") };
  expect(await unpacked(tarBytes([{ name: "bin/python", type: "2", link: "/usr/bin/python3" }]))).toMatchObject({
    "bin/python": "-> /usr/bin/python3",
  });
  for (const [second, problem] of [
    [{ name: "out/new", content: "x" }, "where another one is already"],
    [{ name: "out", content: "x" }, "where another one is already"],
    [{ name: "out/", type: "5", mode: 0o777 }, "where another one is already"],
    [{ name: "out/deep/", type: "5" }, "where another one is already"],
    [{ name: "out/link", type: "2", link: "kept" }, "where another one is already"],
    [{ name: "hard", type: "1", link: "out/kept" }, "no earlier file of it"],
    [{ name: "hard", type: "1", link: "out" }, "no earlier file of it"],
  ] as const) {
    await expect(unpacked(tarBytes([link, second])), second.name).rejects.toThrow(problem);
  }
  expect(tree(outside.at("."))).toEqual({ kept: expect.stringMatching(/ kept$/) });
});

test("names that differ in case are two files", async () => {
  expect(await unpacked(tarBytes([{ name: "a" }, { name: "A" }]))).toEqual({ a: "644 ", A: "644 " });
});

test("an archive that is cut anywhere, or goes on behind its end, is refused", async () => {
  const whole = tarBytes([
    { name: "p", type: "x", content: paxRecord("path", "a") },
    { name: "a", content: "1" },
    { name: "b", content: "2" },
  ]);
  expect(await unpacked(whole)).toEqual({ a: "644 1", b: "644 2" });
  for (let length = 0; length < whole.length; length += 171) {
    await expect(unpacked(whole.subarray(0, length)), `${length}`).rejects.toThrow(ArchiveFault);
  }
  const packed = gzipSync(whole);
  for (let length = 0; length < packed.length; length += 13) {
    await expect(unpacked(packed.subarray(0, length)), `gzip ${length}`).rejects.toThrow(ArchiveFault);
  }
  await expect(unpacked(Buffer.concat([whole, Buffer.from("more")]))).rejects.toThrow("data after its end");
  await expect(unpacked(Buffer.concat([packed, Buffer.from("more")]))).rejects.toThrow("gzip data is damaged");
});

test("zeros behind the end, as tape blocks have them, are no fault", async () => {
  const archive = tarBytes([{ name: "a", content: "1" }], Buffer.alloc(20_480));
  expect(await unpacked(archive)).toEqual({ a: "644 1" });
  expect(await unpacked(Buffer.concat([gzipSync(archive), Buffer.alloc(700)]))).toEqual({ a: "644 1" });
});

test.each([
  ["a plain text", Buffer.from("hello ".repeat(200)), "is no tar archive"],
  ["nothing", Buffer.alloc(0), "ends too early"],
  ["gzip in gzip", gzipSync(gzipSync(tarBytes([{ name: "a" }]))), "ends too early"],
  ["bzip2", Buffer.from("BZh91AY&SY"), "packed with bzip2; supported are tar, tar.gz, zip and jar"],
  ["xz", Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 1]), "packed with xz"],
  ["zstd", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1]), "packed with zstd"],
])("%s is no archive", async (_, bytes, problem) => {
  await expect(unpacked(bytes)).rejects.toThrow(problem);
});

test("a bomb is refused by its ratio, its bytes, or its number of files", async () => {
  const zeros = tarBytes([{ name: "zeros", content: Buffer.alloc(20_000_000) }]);
  await expect(unpacked(gzipSync(zeros))).rejects.toThrow("more than 200 times its size (limits.maxRatio)");
  await expect(unpacked(zeros, { maxUnpackedBytes: 1_000_000 })).rejects.toThrow("(limits.maxUnpackedBytes)");
  const tail = Buffer.concat([tarBytes([{ name: "a" }]), Buffer.alloc(20_000_000)]);
  await expect(unpacked(gzipSync(tail))).rejects.toThrow("(limits.maxRatio)");
  const many = tarBytes(Array.from({ length: 20 }, (_, index) => ({ name: `${index}` })));
  await expect(unpacked(many, { maxUnpackedFiles: 19 })).rejects.toThrow(
    "more than 19 files, links and directories (limits.maxUnpackedFiles)",
  );
});
