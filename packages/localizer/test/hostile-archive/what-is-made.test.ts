import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { LimitsConfig } from "../../src/config/index.ts";
import { pod } from "../support/localizer-process.ts";
import { unpack } from "../support/offered-archive.ts";
import { paxRecord, tarBytes, type TarMember } from "../support/tar-bytes.ts";
import { zipBytes, type ZipMember } from "../support/zip-bytes.ts";

/** A file whose path is too long for a header of its own. */
function file(path: string): readonly TarMember[] {
  return [{ name: "p", type: "x", content: paxRecord("path", path) }, { name: "f" }];
}

function times<T>(count: number, make: (index: number) => T | readonly T[]): T[] {
  return Array.from({ length: count }, (_, index) => make(index)).flat() as T[];
}

/** This many nested directories. */
const nested = (depth: number): string => "d/".repeat(depth);

const UNLIMITED_RATIO = { maxRatio: 1_000_000 };
const FILES = "files, links and directories (limits.maxUnpackedFiles)";

// Each of these used up all memory or all inodes with things that no entry names.
const TARS: readonly (readonly [string, readonly TarMember[], LimitsConfig, string])[] = [
  ["deep directories that are only implied", times(262, (i) => file(`${i}/${nested(2000)}f`)), {}, "(limits.maxDepth)"],
  [
    "so many, if depth is allowed",
    times(4, (i) => file(`${i}/${nested(2000)}f`)),
    { maxDepth: 2048, maxUnpackedFiles: 3000 },
    `more than 3000 ${FILES}`,
  ],
  [
    "shallow ones beside each other",
    times(60, (i) => file(`${i}/${nested(100)}f`)),
    { maxUnpackedFiles: 3000 },
    `more than 3000 ${FILES}`,
  ],
  [
    "directories that links lie in",
    times(60, (i) => ({ name: `${i}/${nested(40)}l`, type: "2", link: "x" })),
    { maxUnpackedFiles: 2000 },
    `more than 2000 ${FILES}`,
  ],
  [
    "directories that hard links lie in",
    [{ name: "x" }, ...times(60, (i) => ({ name: `${i}/${nested(40)}h`, type: "1", link: "x" }))],
    { maxUnpackedFiles: 2000 },
    `more than 2000 ${FILES}`,
  ],
  [
    "directories that are named by their last one",
    times(60, (i) => ({ name: `${i}/${nested(40)}`, type: "5" })),
    { maxUnpackedFiles: 2000 },
    `more than 2000 ${FILES}`,
  ],
  ["itself again and again", times(3000, () => ({ name: "./", type: "5" })), { maxUnpackedFiles: 2000 }, FILES],
  ["a directory again and again", times(3000, () => ({ name: "d", type: "5" })), { maxUnpackedFiles: 2000 }, FILES],
  [
    "extended headers without an entry",
    times(5000, () => ({ name: "p", type: "x", content: paxRecord("path", "a") })),
    {},
    "more than 16 extended headers",
  ],
  [
    "global headers without an entry",
    times(5000, () => ({ name: "p", type: "g", content: paxRecord("comment", "a") })),
    {},
    "more than 16 extended headers",
  ],
  [
    "long names without an entry",
    times(5000, () => ({ name: "L", type: "L", content: "a\0" })),
    {},
    "more than 16 ext",
  ],
  ["a path that no program could open", file(`${"n".repeat(254)}/`.repeat(16)), {}, "more than 4095 bytes"],
  ["its own directory and one file too many", [{ name: "a" }, { name: "b" }], { maxUnpackedFiles: 2 }, `2 ${FILES}`],
];

const MANY_NAMES: readonly ZipMember[] = times(3000, (i) => ({ name: `f${i}` }));
const SHARED = zipBytes([{ name: "a", content: Buffer.alloc(100_000, "abc") }]);

/** Zip archives with false central directories. */
const ZIPS: readonly (readonly [string, Buffer, LimitsConfig, string])[] = [
  [
    "entries that nobody has looked at yet",
    zipBytes(MANY_NAMES),
    { maxUnpackedFiles: 2999 },
    `more than 2999 ${FILES}`,
  ],
  [
    "directories that are only implied",
    zipBytes(times(60, (i) => ({ name: `${i}/${nested(40)}f` }))),
    { maxUnpackedFiles: 2000 },
    `more than 2000 ${FILES}`,
  ],
  ["deep directories", zipBytes([{ name: `${nested(2000)}f` }]), {}, "(limits.maxDepth)"],
  ["entries that share their bytes", withSharedContent(SHARED, 50), {}, "entries that overlap each other"],
];

/** The same central directory entry many times, each under a name of its own. */
function withSharedContent(zip: Buffer, count: number): Buffer {
  const start = zip.indexOf("PK\x01\x02");
  const end = zip.indexOf("PK\x05\x06");
  const entries = times(count, (index) => {
    const entry = Buffer.from(zip.subarray(start, end));
    entry.write(String.fromCharCode(0x30 + index), 46);
    return entry;
  });
  const tail = Buffer.from(zip.subarray(end));
  tail.writeUInt16LE(count, 8);
  tail.writeUInt16LE(count, 10);
  tail.writeUInt32LE(count * (end - start), 12);
  return Buffer.concat([zip.subarray(0, start), ...entries, tail]);
}

describe("hostile archive", () => {
  test.each<readonly [string, Buffer, LimitsConfig, string]>([
    ...TARS.map(([what, members, ...rest]) => [what, gzipSync(tarBytes(members)), ...rest] as const),
    ...ZIPS,
  ])(
    "with %s: all that is made counts, and nothing stays",
    { timeout: 120_000 },
    async (_, archive, limits, problem) => {
      const setting = pod();
      const { code, failure, stderr } = await unpack(setting, archive, { ...UNLIMITED_RATIO, ...limits });
      expect(code, stderr.slice(-2000)).toBe(8);
      expect(failure).toMatchObject({ reason: "archive", message: expect.stringContaining(problem) as string });
      expect(setting.tree()).toEqual({});
    },
  );

  test("at its limits it is unpacked", async () => {
    const setting = pod();
    // The archive's own directory, a, a/b, and the file.
    const archive = tarBytes([{ name: "a/b/f", content: "x" }]);
    const { code, stderr } = await unpack(setting, archive, { maxUnpackedFiles: 4, maxDepth: 3 });
    expect(code, stderr).toBe(0);
    expect(setting.tree()).toMatchObject({ "env/a/b/f": "644 x" });
  });

  test("with more directories than are remembered, in any order, it is unpacked", { timeout: 120_000 }, async () => {
    const setting = pod();
    const long = (index: number): string => `${index}${"n".repeat(60)}`;
    const path = (index: number): string => `${long(index % 10)}/${long(index)}/${long(index)}`;
    const members = [
      ...times(3000, (index) => file(`${path(index)}/first`)),
      ...times(3000, (index) => file(`${path(index)}/second`)),
      ...times(300, (index) => [
        {
          name: "p",
          type: "x",
          content: paxRecord("linkpath", `${path(index)}/first`) + paxRecord("path", `l${index}`),
        },
        { name: "l", type: "1" },
      ]),
    ];
    const { code, stderr } = await unpack(setting, gzipSync(tarBytes(members)));
    expect(code, stderr).toBe(0);
    const found = Object.keys(setting.tree());
    expect(found.filter((name) => name.endsWith("/second"))).toHaveLength(3000);
    expect(found.filter((name) => /^env\/l\d+$/.test(name))).toHaveLength(300);
  });
});
