import { expect, it } from "vitest";
import type { Digest } from "@kindling/staging-client";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { StoreError } from "../../src/errors/store-error.ts";
import { condemnedBlobs, type CondemnedBlobs } from "../../src/lifecycle/condemned-blobs.ts";
import type { DocumentStore } from "../../src/stores/document-store.ts";
import { localDocuments } from "../../src/stores/local-disk/local-documents.ts";
import { sample } from "../../src/testing/random-bytes.ts";

/** Documents that cannot be written or deleted while the disk is full. */
async function fillable() {
  const disk = { full: false };
  const documents = await localDocuments(scratchFolder().path);
  const check = (): void => {
    if (disk.full) throw new StoreError("no-space", "the disk is full");
  };
  const limited: DocumentStore = {
    ...documents,
    async put(collection, name, value, options) {
      check();
      return await documents.put(collection, name, value, options);
    },
    async delete(collection, name) {
      check();
      await documents.delete(collection, name);
    },
  };
  return { disk, documents: limited };
}

/** One collection that finds these blobs unused; returns what it knew of each. */
async function collection(
  condemned: CondemnedBlobs,
  digests: readonly Digest[],
  now: number,
): Promise<(number | undefined)[]> {
  const condemnations = condemned.begin();
  const before: (number | undefined)[] = [];
  for (const digest of digests.toSorted()) {
    const since = await condemnations.since(digest);
    before.push(since);
    await condemnations.mark(digest, since ?? now);
  }
  await condemnations.finish();
  return before;
}

it("knows since when a file has been without use, also after a start", async () => {
  const { documents } = await fillable();
  const digests = [sample(8).digest, sample(8).digest];
  expect(await collection(condemnedBlobs(documents), digests, 10)).toEqual([undefined, undefined]);
  expect(await collection(condemnedBlobs(documents), digests, 20)).toEqual([10, 10]);
});

it("forgets a file that is used again", async () => {
  const { documents } = await fillable();
  const { digest } = sample(8);
  const condemned = condemnedBlobs(documents);
  await collection(condemned, [digest], 10);
  await collection(condemned, [], 20);
  expect(await documents.list("state")).toEqual([]);
  expect(await collection(condemned, [digest], 30)).toEqual([undefined]);
});

it("goes on with what it cannot write on a full disk, and writes it when there is room", async () => {
  const { disk, documents } = await fillable();
  const [one, other] = [sample(8).digest, sample(8).digest];
  const condemned = condemnedBlobs(documents);
  await collection(condemned, [one], 10);
  disk.full = true;
  await collection(condemned, [other], 20);
  // The stored mark of the first one does not count any more.
  expect(await collection(condemned, [one], 30)).toEqual([undefined]);
  expect(await collection(condemned, [one], 40)).toEqual([30]);
  disk.full = false;
  await collection(condemned, [one], 50);
  expect(await collection(condemnedBlobs(documents), [one], 60)).toEqual([30]);
});
