import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ManualClock } from "@kindling/outside";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import type { Damage } from "../../../src/stores/damage.ts";
import { damagedFiles } from "../../../src/stores/local-disk/damaged-files.ts";
import { localDocuments } from "../../../src/stores/local-disk/local-documents.ts";
import { documentStoreConformance } from "../../../src/testing/index.ts";

it.each(documentStoreConformance)("$name", async (one) => {
  await expect(one.run(await localDocuments(scratchFolder().path))).resolves.toBeUndefined();
});

it("finds everything again after a restart", async () => {
  const root = scratchFolder().path;
  const before = await localDocuments(root);
  await before.put("bundles", "a", { small: 1 }, { expect: undefined });
  await before.put("manifests", "a", { large: "x".repeat(10_000) }, { expect: undefined });
  await before.put("lease-entries/1", "e", ["d"], { expect: undefined, relaxed: true });
  await before.delete("bundles", "a");
  await before.put("bundles", "a", { small: 2 }, { expect: undefined });

  const after = await localDocuments(root);
  expect((await after.get("bundles", "a"))?.value).toEqual({ small: 2 });
  expect((await after.get("manifests", "a"))?.value).toEqual({ large: "x".repeat(10_000) });
  expect(await after.collections("lease-entries")).toEqual(["1"]);
  const version = (await after.get("bundles", "a"))?.version;
  await after.put("bundles", "a", { small: 3 }, { expect: version });
  expect((await after.get("bundles", "a"))?.value).toEqual({ small: 3 });
});

it("finds a document that is damaged while it runs", async () => {
  const root = scratchFolder().path;
  const damages: Damage[] = [];
  const damaged = damagedFiles(scratchFolder().path, { onDamage: (damage) => damages.push(damage) });
  const documents = await localDocuments(root, { damaged });
  const value = { large: "x".repeat(10_000) };
  await documents.put("manifests", "a", value, { expect: undefined });
  await documents.put("manifests", "b", value, { expect: undefined });
  const path = join(root, "manifests", "a.json");
  const bytes = await readFile(path);
  bytes[5000] = 0x79;
  await writeFile(path, bytes);
  expect(await documents.get("manifests", "a")).toBeUndefined();
  expect(await documents.get("manifests", "a")).toBeUndefined();
  expect(damages).toMatchObject([{ what: "document", name: "manifests/a", reason: "its checksum is wrong" }]);
  expect((await documents.get("manifests", "b"))?.value).toEqual(value);
  expect((await documents.list("manifests")).map(({ name }) => name)).toEqual(["b"]);
  expect(await documents.damaged("manifests")).toEqual(["a"]);
  expect(await documents.remains("manifests", "a")).toBe(bytes.toString());
});

it("keeps what was put aside within its limits, the newest of it", async () => {
  const folder = scratchFolder().path;
  const root = scratchFolder().path;
  const clock = new ManualClock();
  const damages: Damage[] = [];
  const damaged = damagedFiles(folder, { mostBytes: 25_000, clock, onDamage: (damage) => damages.push(damage) });
  const documents = await localDocuments(root, { damaged });
  for (const name of ["a", "b", "c", "d"]) {
    const version = await documents.put("manifests", name, "x".repeat(10_000), { expect: undefined });
    await documents.setAside("manifests", name, version, "for the test");
    await clock.advance(1000);
  }
  expect(await documents.damaged("manifests")).toEqual(["c", "d"]);
  expect(damages.map(({ name }) => name)).toEqual(["a", "b", "c", "d"].map((name) => `manifests/${name}`));
});

it("forgets documents that were being written when the process ended", async () => {
  const root = scratchFolder().path;
  await localDocuments(root);
  await writeFile(join(root, ".tmp", "7"), '{"half":');
  const after = await localDocuments(root);
  expect(await after.list("bundles")).toEqual([]);
  await after.put("bundles", "a", 1, { expect: undefined });
  expect((await after.get("bundles", "a"))?.value).toBe(1);
});
