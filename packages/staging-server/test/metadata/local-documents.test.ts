import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { documentStoreConformance } from "../../src/testing/index.ts";
import { localDocuments } from "../../src/metadata/local-documents.ts";
import { tempFolder } from "../support/temp-folder.ts";

it.each(documentStoreConformance)("$name", async (one) => {
  await expect(one.run(await localDocuments(await tempFolder()))).resolves.toBeUndefined();
});

it("finds everything again after a restart", async () => {
  const root = await tempFolder();
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

it("forgets documents that were being written when the process ended", async () => {
  const root = await tempFolder();
  await localDocuments(root);
  await writeFile(join(root, ".tmp", "7"), '{"half":');
  const after = await localDocuments(root);
  expect(await after.list("bundles")).toEqual([]);
  await after.put("bundles", "a", 1, { expect: undefined });
  expect((await after.get("bundles", "a"))?.value).toBe(1);
});
