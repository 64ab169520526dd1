import { readdir, stat, truncate } from "node:fs/promises";
import { expect, it } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { openLayout, type Layout } from "../../src/stores/local-disk/layout.ts";
import { localDiskStore } from "../../src/stores/local-disk/local-disk-store.ts";
import { readAll, sample, store, type Sample } from "../../src/testing/random-bytes.ts";

/** A blob that is on disk for good, and that no running process has verified. */
async function durableBlob(): Promise<{ layout: Layout; one: Sample }> {
  const layout = await openLayout(scratchFolder().path);
  const disk = localDiskStore({ layout });
  const one = sample(100_000);
  await store(disk, "first", one);
  await disk.makeDurable([one.digest]);
  await disk.close();
  return { layout, one };
}

async function isWhole(layout: Layout, { digest, bytes }: Sample): Promise<boolean> {
  const disk = localDiskStore({ layout });
  const reader = await disk.open(digest, { start: 0, end: bytes.length });
  const whole = reader !== undefined && (await readAll(reader)).equals(bytes);
  await disk.close();
  return whole;
}

it("never gives a file that is on disk for good away for one that is not yet", async () => {
  const { layout, one } = await durableBlob();
  const disk = localDiskStore({
    layout,
    onStep(step) {
      // The power fails before the new file is flushed.
      if (step === "blob-sync") throw new Error("the power fails");
    },
  });
  expect(await store(disk, "again", one)).toBe("existed");
  await disk.close();
  await truncate(layout.blob(one.digest), 0);
  expect(await isWhole(layout, one)).toBe(true);
  expect((await stat(layout.blob(one.digest))).mode & 0o777).toBe(0o440);
});

it("leaves nothing of the old file when the new one is on disk for good", async () => {
  const { layout, one } = await durableBlob();
  const before = await stat(layout.blob(one.digest));
  const disk = localDiskStore({ layout });
  await store(disk, "again", one);
  await disk.makeDurable([one.digest]);
  const after = await stat(layout.blob(one.digest));
  expect(after.ino).not.toBe(before.ino);
  expect(await readdir(layout.blobFolder(one.digest))).toHaveLength(1);

  // A blob that this process itself has verified is not written again.
  expect(await store(disk, "once-more", one)).toBe("existed");
  expect((await stat(layout.blob(one.digest))).ino).toBe(after.ino);
  await disk.delete(one.digest);
  expect(await readdir(layout.blobFolder(one.digest))).toEqual([]);
  await disk.close();
});

it("lets readers of the old file finish", async () => {
  const { layout, one } = await durableBlob();
  const disk = localDiskStore({ layout });
  const reader = await disk.open(one.digest, { start: 0, end: one.bytes.length });
  await store(disk, "again", one);
  expect((await readAll(reader)).equals(one.bytes)).toBe(true);
  await disk.close();
});

it("does not bring back what was deleted while it was being replaced", async () => {
  const { layout, one } = await durableBlob();
  const disk = localDiskStore({
    layout,
    onStep(step) {
      if (step === "blob-sync") throw new Error("the power fails");
    },
  });
  await store(disk, "again", one);
  await disk.close();
  await disk.delete(one.digest);
  const after = localDiskStore({ layout });
  expect(await after.stat(one.digest)).toBeUndefined();
  await after.close();
});
