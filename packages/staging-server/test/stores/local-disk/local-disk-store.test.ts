import { chmod, open, readdir, readlink, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { blobStoreConformance } from "../../../src/testing/index.ts";
import { readAll, sample, store, writeAll } from "../../../src/testing/random-bytes.ts";
import { openLayout, type Layout } from "../../../src/stores/local-disk/layout.ts";
import { localDiskStore } from "../../../src/stores/local-disk/local-disk-store.ts";
import type { BlobStore } from "../../../src/stores/blob-store.ts";

async function newStore(): Promise<{ blobs: BlobStore; layout: Layout }> {
  const layout = await openLayout(scratchFolder().path);
  return { layout, blobs: localDiskStore({ layout }) };
}

it.each(blobStoreConformance)("$name", async (one) => {
  const { blobs } = await newStore();
  await expect(one.run(blobs)).resolves.toBeUndefined();
  await blobs.close();
});

it("lets an open reader finish when its blob is deleted", async () => {
  const { blobs } = await newStore();
  const one = sample(3_000_000);
  await store(blobs, "a", one);
  const reader = await blobs.open(one.digest, { start: 0, end: one.bytes.length });
  await blobs.delete(one.digest);
  expect((await readAll(reader)).equals(one.bytes)).toBe(true);
  await blobs.close();
});

it("marks a blob as durable only after its flush", async () => {
  const { blobs, layout } = await newStore();
  const one = sample(1000);
  await store(blobs, "a", one);
  await blobs.makeDurable([one.digest]);
  const { mode } = await stat(layout.blob(one.digest));
  expect(mode & 0o777).toBe(0o440);
  await blobs.close();
});

it("verifies a blob whose flush a crash has cut off, and drops it if it is damaged", async () => {
  const { blobs, layout } = await newStore();
  const [good, damaged] = [sample(1000), sample(1000)];
  for (const one of [good, damaged]) {
    await store(blobs, one.digest.slice(7, 20), one);
    await blobs.makeDurable([one.digest]);
    await chmod(layout.blob(one.digest), 0o600);
  }
  const file = await open(layout.blob(damaged.digest), "r+");
  await file.write("zeros instead of bytes");
  await file.close();
  await blobs.close();

  const restarted = localDiskStore({ layout });
  expect(await restarted.stat(good.digest)).toBe(1000);
  expect((await stat(layout.blob(good.digest))).mode & 0o777).toBe(0o440);
  expect(await restarted.stat(damaged.digest)).toBeUndefined();
  expect(await store(restarted, "again", damaged)).toBe("created");
  expect((await readAll(await restarted.open(damaged.digest, { start: 0, end: 1000 }))).equals(damaged.bytes)).toBe(
    true,
  );
  await restarted.close();
});

it("sweeps ingests that nobody speaks for, but none that is open", async () => {
  const { blobs, layout } = await newStore();
  const suspended = await blobs.begin({ id: "left", size: 10 });
  await suspended.suspend();
  const open = await blobs.begin({ id: "open", size: 10 });
  await writeFile(join(layout.ingest, "stray"), "x");
  await blobs.sweep(new Set());
  expect(await readdir(layout.ingest)).toHaveLength(3);
  for (const name of ["left", "open", "stray"]) await utimes(join(layout.ingest, name), 0, 0);
  await blobs.sweep(new Set());
  expect(await readdir(layout.ingest)).toEqual(["open"]);
  const one = sample(10);
  await writeAll(open, one.bytes);
  expect(await (await open.seal()).publish(one.digest)).toBe("created");
  await blobs.close();
});

it("keeps no file open when it is closed", async () => {
  const { blobs, layout } = await newStore();
  for (let index = 0; index < 5; index++) await store(blobs, `i${index}`, sample(100));
  await blobs.close();
  const open: string[] = [];
  for (const fd of await readdir("/proc/self/fd")) {
    const target = await readlink(`/proc/self/fd/${fd}`).catch(() => "");
    if (target.startsWith(layout.root)) open.push(target);
  }
  expect(open).toEqual([]);
});
