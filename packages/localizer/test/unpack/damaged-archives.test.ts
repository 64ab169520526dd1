import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ArchiveFault } from "../../src/unpack/archive-entry.ts";
import { readArchive } from "../../src/unpack/read-archive.ts";
import { unpackTree } from "../../src/unpack/unpack-tree.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { paxRecord, tarBytes } from "../support/tar-bytes.ts";
import { CLOSED, LIMITS } from "../support/unpacked.ts";
import { zipBytes } from "../support/zip-bytes.ts";

const TAR = tarBytes([
  { name: "d/", type: "5", mode: 0o755 },
  { name: "d/a", content: "hello" },
  { name: "x", type: "x", content: paxRecord("path", "d/long") },
  { name: "b", content: "1" },
  { name: "L", type: "L", content: "d/longer\0" },
  { name: "c", type: "2", link: "d/a" },
  { name: "h", type: "1", link: "d/a" },
]);
const ZIP = zipBytes([
  { name: "d/" },
  { name: "d/a", content: "hello".repeat(20), deflate: true },
  { name: "l", unix: 0o120777, content: "d/a" },
  { name: "b", unix: 0o100755, content: "1" },
]);

/** Random changes of bytes, often to bytes that readers of archives look for: digits, slashes, dots and zeros. */
const damage = fc.array(
  fc.record({
    at: fc.nat({ max: 100_000 }),
    byte: fc.oneof(fc.constantFrom(...Buffer.from("\0./012567LKxg\xff", "latin1")), fc.nat({ max: 255 })),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Corrects the checksums of a tar archive's headers: otherwise most damage would be found there. */
function withChecksums(tar: Buffer): Buffer {
  for (let block = 0; block + 512 <= tar.length; block += 512) {
    if (tar.toString("latin1", block + 257, block + 262) !== "ustar") continue;
    tar.write("        ", block + 148, "latin1");
    const sum = tar.subarray(block, block + 512).reduce((total, byte) => total + byte, 0);
    tar.write(`${sum.toString(8).padStart(6, "0")}\0 `, block + 148, "latin1");
  }
  return tar;
}

test.each<[string, Buffer, (bytes: Buffer) => Buffer]>([
  ["tar", TAR, withChecksums],
  ["zip", ZIP, (bytes) => bytes],
])("a damaged %s archive is unpacked or refused, and changes nothing outside", async (_, whole, repair) => {
  const folder = scratchFolder();
  const target = folder.at("deep/er/target");
  const archive = folder.at("archive");
  const { signal } = new AbortController();
  const options = { limits: LIMITS, closed: CLOSED, reserved: ".marker", destination: target, signal };
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(damage, async (changes) => {
      const bytes = Buffer.from(whole);
      for (const { at, byte } of changes) bytes[at % bytes.length] = byte;
      writeFileSync(archive, repair(bytes));
      rmSync(folder.at("deep"), { recursive: true, force: true });
      mkdirSync(target, { recursive: true });
      const file = await open(archive, "r");
      try {
        await unpackTree(target, readArchive(file, bytes.length, LIMITS, signal), options);
      } catch (error) {
        if (!(error instanceof ArchiveFault)) throw error;
        refused++;
      } finally {
        await file.close();
      }
      expect(readdirSync(folder.path).sort()).toEqual(["archive", "deep"]);
      expect(readdirSync(folder.at("deep"))).toEqual(["er"]);
      expect(readdirSync(folder.at("deep/er"))).toEqual(["target"]);
    }),
    { numRuns: 200 },
  );
  expect(refused).toBeGreaterThan(10);
});
