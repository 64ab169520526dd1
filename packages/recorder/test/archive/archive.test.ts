import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import type { Archive } from "../../src/archive/archive.ts";
import { ARCHIVES, testFolder } from "../support/archives.ts";

async function paths(archive: Archive, folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { path } of archive.list(folder)) found.push(path);
  return found.toSorted();
}

describe.each(Object.entries(ARCHIVES))("an archive in %s", (_, open) => {
  test("gives back what was stored, whole and in part", async () => {
    const archive = await open();
    await archive.put("v1/runs/etl/record.json", Buffer.from("0123456789"));
    expect((await archive.read("v1/runs/etl/record.json"))?.toString()).toBe("0123456789");
    const part = await archive.open("v1/runs/etl/record.json", { start: 2, end: 5 });
    expect(part && (await buffer(part)).toString()).toBe("234");
    const rest = await archive.open("v1/runs/etl/record.json", { start: 7 });
    expect(rest && (await buffer(rest)).toString()).toBe("789");
  });

  test("replaces what is there", async () => {
    const archive = await open();
    await archive.put("v1/a", Buffer.from("first"));
    await archive.put("v1/a", Buffer.from("second"));
    expect((await archive.read("v1/a"))?.toString()).toBe("second");
    expect(await paths(archive, "v1")).toEqual(["v1/a"]);
  });

  test("takes files of this machine", async () => {
    const archive = await open();
    const file = join(await testFolder(), "some.log");
    await writeFile(file, "a line\n".repeat(50_000));
    await archive.putFile("v1/logs/000001.log", file);
    expect((await archive.read("v1/logs/000001.log"))?.length).toBe(350_000);
  });

  test("lists what is below a folder, and the folders in it", async () => {
    const archive = await open();
    for (const path of ["v1/index/etl/a.jsonl", "v1/index/etl/b.jsonl", "v1/index/ml/a.jsonl", "v1/indexes/c"])
      await archive.put(path, Buffer.from("x"));
    expect(await paths(archive, "v1/index")).toEqual([
      "v1/index/etl/a.jsonl",
      "v1/index/etl/b.jsonl",
      "v1/index/ml/a.jsonl",
    ]);
    expect((await archive.folders("v1/index")).toSorted()).toEqual(["etl", "ml"]);
  });

  test("has nothing where nothing was stored", async () => {
    const archive = await open();
    expect([await archive.read("v1/none"), await archive.open("v1/none")]).toEqual([undefined, undefined]);
    expect(await paths(archive, "v1/none")).toEqual([]);
    expect(await archive.folders("v1/none")).toEqual([]);
  });

  test("deletes, also what is gone already", async () => {
    const archive = await open();
    await archive.put("v1/runs/etl/2026-11-21/a", Buffer.from("x"));
    await archive.delete("v1/runs/etl/2026-11-21/a");
    await archive.delete("v1/runs/etl/2026-11-21/a");
    expect(await archive.read("v1/runs/etl/2026-11-21/a")).toBeUndefined();
    expect(await archive.folders("v1/runs")).toEqual([]);
  });
});
