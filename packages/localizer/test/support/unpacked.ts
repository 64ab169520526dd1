import { mkdirSync } from "node:fs";
import { open } from "node:fs/promises";
import type { Limits } from "../../src/config/localizer-config.ts";
import { readArchive } from "../../src/unpack/read-archive.ts";
import { unpackTree } from "../../src/unpack/unpack-tree.ts";
import { scratchFolder, tree } from "./scratch-folder.ts";

export const LIMITS: Limits = {
  maxFileBytes: 1_000_000_000,
  maxUnpackedBytes: 100_000_000,
  maxUnpackedFiles: 10_000,
  maxDepth: 128,
  maxRatio: 200,
  absoluteLinks: ["/"],
};

/** Where no link of an archive may lead in these tests. */
export const CLOSED: readonly string[] = ["/proc", "/run"];

/** What an archive unpacks to. */
export async function unpacked(archive: Buffer, limits: Partial<Limits> = {}): Promise<Record<string, string>> {
  const folder = scratchFolder();
  const file = await open(folder.write("archive", archive), "r");
  const target = folder.at("target");
  mkdirSync(target);
  try {
    const all = { ...LIMITS, ...limits };
    const { signal } = new AbortController();
    const entries = readArchive(file, archive.length, all, signal);
    await unpackTree(target, entries, {
      limits: all,
      closed: CLOSED,
      reserved: ".marker",
      destination: target,
      signal,
    });
  } finally {
    await file.close();
  }
  return tree(target);
}
