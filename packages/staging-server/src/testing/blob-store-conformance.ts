import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { BlobStore } from "../stores/blob-store.ts";
import type { ConformanceCase } from "./conformance-case.ts";
import { MIB, readAll, sample, store, writeAll } from "./random-bytes.ts";

// Sizes near those at which implementations behave differently: empty, one chunk, one part, several parts.
const SIZES = [0, 1, 64 * 1024 - 1, 64 * 1024 + 1, 5 * MIB, 21 * MIB + 3];

/** The contract of a {@link BlobStore}. Only other cases may use the store at the same time; it may hold other blobs. */
export const blobStoreConformance: readonly ConformanceCase<BlobStore>[] = [
  {
    name: "knows nothing of a blob that is not there",
    async run(blobs) {
      const { digest } = sample(10);
      assert.equal(await blobs.stat(digest), undefined);
      assert.equal(await blobs.open(digest, { start: 0, end: 10 }), undefined);
      await blobs.delete(digest);
    },
  },
  ...SIZES.map((size): ConformanceCase<BlobStore> => {
    return {
      name: `gives back a blob of ${size} bytes`,
      async run(blobs) {
        const one = sample(size);
        await store(blobs, randomUUID(), one);
        assert.equal(await blobs.stat(one.digest), size);
        const read = await readAll(await blobs.open(one.digest, { start: 0, end: size }));
        assert.ok(read.equals(one.bytes), "the bytes read are those written");
      },
    };
  }),
  {
    name: "gives back any range of a blob",
    async run(blobs) {
      const one = sample(2 * MIB + 7);
      await store(blobs, randomUUID(), one);
      const end = one.bytes.length;
      const ranges = [
        [0, 1],
        [end - 1, end],
        [1, end - 1],
        [MIB - 1, MIB + 1],
        [64 * 1024, 128 * 1024],
      ] as const;
      for (const [start, stop] of ranges) {
        const read = await readAll(await blobs.open(one.digest, { start, end: stop }));
        assert.ok(read.equals(one.bytes.subarray(start, stop)), `bytes ${start} to ${stop}`);
      }
    },
  },
  {
    name: "shows nothing of an ingest before it is published",
    async run(blobs) {
      const one = sample(6 * MIB);
      const ingest = await blobs.begin({ id: randomUUID(), size: one.bytes.length });
      await writeAll(ingest, one.bytes);
      assert.equal(await blobs.stat(one.digest), undefined, "while it is written");
      const sealed = await ingest.seal();
      assert.equal(sealed.size, one.bytes.length);
      assert.equal(await blobs.stat(one.digest), undefined, "when it is sealed");
      assert.equal(await sealed.publish(one.digest), "created");
      assert.equal(await blobs.stat(one.digest), one.bytes.length);
    },
  },
  {
    name: "takes bytes whose number nobody announced",
    async run(blobs) {
      const one = sample(9 * MIB + 1);
      const ingest = await blobs.begin({ id: randomUUID(), size: undefined });
      await writeAll(ingest, one.bytes);
      await (await ingest.seal()).publish(one.digest);
      const read = await readAll(await blobs.open(one.digest, { start: 0, end: one.bytes.length }));
      assert.ok(read.equals(one.bytes));
    },
  },
  {
    name: "reads a sealed ingest back",
    async run(blobs) {
      for (const size of [100, 6 * MIB]) {
        const one = sample(size);
        const ingest = await blobs.begin({ id: randomUUID(), size });
        await writeAll(ingest, one.bytes);
        const sealed = await ingest.seal();
        assert.ok((await readAll(await sealed.read())).equals(one.bytes));
        await sealed.publish(one.digest);
        assert.equal(await blobs.stat(one.digest), size);
      }
    },
  },
  {
    name: "leaves nothing of what is dropped",
    async run(blobs) {
      const one = sample(6 * MIB);
      const id = randomUUID();
      const ingest = await blobs.begin({ id, size: one.bytes.length });
      await writeAll(ingest, one.bytes);
      await ingest.abort();
      const again = await blobs.begin({ id: randomUUID(), size: one.bytes.length });
      await writeAll(again, one.bytes);
      await (await again.seal()).discard();
      assert.equal(await blobs.stat(one.digest), undefined);
    },
  },
  {
    name: "publishes the same bytes twice without harm",
    async run(blobs) {
      for (const size of [1000, 6 * MIB]) {
        const one = sample(size);
        assert.equal(await store(blobs, randomUUID(), one), "created");
        assert.equal(await store(blobs, randomUUID(), one), "existed");
        assert.ok((await readAll(await blobs.open(one.digest, { start: 0, end: size }))).equals(one.bytes));
      }
    },
  },
  {
    name: "publishes the same bytes from many sides at once",
    async run(blobs) {
      const one = sample(6 * MIB);
      await Promise.all(Array.from({ length: 4 }, () => store(blobs, randomUUID(), one)));
      const read = await readAll(await blobs.open(one.digest, { start: 0, end: one.bytes.length }));
      assert.ok(read.equals(one.bytes));
    },
  },
  {
    name: "goes on with a suspended ingest, again and again",
    async run(blobs) {
      const one = sample(20 * MIB + 11);
      const id = randomUUID();
      const size = one.bytes.length;
      let state = await (await blobs.begin({ id, size })).suspend();
      let offset = 0;
      for (const step of [1, 3 * MIB, 9 * MIB, size]) {
        const ingest = await blobs.resume({ id, size }, JSON.parse(JSON.stringify(state)) as typeof state);
        assert.ok(ingest !== undefined, "it is still there");
        assert.equal(ingest.offset, offset, "it stands where it was left");
        const end = Math.min(size, offset + step);
        await writeAll(ingest, one.bytes.subarray(offset, end));
        offset = end;
        state = await ingest.suspend();
      }
      const last = await blobs.resume({ id, size }, state);
      assert.equal(last?.offset, size);
      const sealed = await last.seal();
      assert.ok((await readAll(await sealed.read())).equals(one.bytes));
      await sealed.publish(one.digest);
      assert.ok((await readAll(await blobs.open(one.digest, { start: 0, end: size }))).equals(one.bytes));
    },
  },
  {
    name: "has nothing to go on with where nothing is left",
    async run(blobs) {
      const id = randomUUID();
      const state = await (await blobs.begin({ id, size: 10 })).suspend();
      await (await blobs.resume({ id, size: 10 }, state))?.abort();
      const resumed = await blobs.resume({ id, size: 10 }, state);
      // A store that keeps all of an empty ingest in its state may begin again, which is equally good.
      assert.equal(resumed?.offset ?? 0, 0);
      await resumed?.abort();
    },
  },
  {
    name: "deletes a blob, and takes it again afterwards",
    async run(blobs) {
      for (const size of [1000, 6 * MIB]) {
        const one = sample(size);
        await store(blobs, randomUUID(), one);
        await blobs.delete(one.digest);
        assert.equal(await blobs.stat(one.digest), undefined);
        assert.equal(await store(blobs, randomUUID(), one), "created");
        assert.equal(await blobs.stat(one.digest), size);
      }
    },
  },
  {
    name: "lists every blob once",
    async run(blobs) {
      const samples = [sample(10), sample(6 * MIB), sample(0)];
      for (const one of samples) await store(blobs, randomUUID(), one);
      const listed = new Map<string, number | undefined>();
      for await (const { digest, size } of blobs.list()) {
        assert.ok(!listed.has(digest), `${digest} comes once`);
        listed.set(digest, size);
      }
      for (const { digest, bytes } of samples) {
        assert.ok(listed.has(digest), `${digest} is listed`);
        const size = listed.get(digest);
        assert.ok(size === undefined || size === bytes.length, "with its size, if any");
      }
    },
  },
  {
    name: "makes blobs durable",
    async run(blobs) {
      const samples = [sample(10), sample(MIB)];
      for (const one of samples) await store(blobs, randomUUID(), one);
      await blobs.makeDurable(samples.map(({ digest }) => digest));
    },
  },
  {
    name: "keeps ingests that are spoken for when it sweeps",
    async run(blobs) {
      const one = sample(9 * MIB);
      const id = randomUUID();
      const begun = await blobs.begin({ id, size: one.bytes.length });
      await writeAll(begun, one.bytes.subarray(0, 6 * MIB));
      const state = await begun.suspend();
      await blobs.sweep(new Set([id]));
      const resumed = await blobs.resume({ id, size: one.bytes.length }, state);
      assert.equal(resumed?.offset, 6 * MIB);
      await writeAll(resumed, one.bytes.subarray(6 * MIB));
      await (await resumed.seal()).publish(one.digest);
      assert.equal(await blobs.stat(one.digest), one.bytes.length);
    },
  },
  {
    name: "reads several blobs at once",
    async run(blobs) {
      const samples = [sample(3 * MIB), sample(2 * MIB + 1), sample(MIB)];
      for (const one of samples) await store(blobs, randomUUID(), one);
      await Promise.all(
        [...samples, ...samples].map(async ({ bytes, digest }) => {
          const read = await readAll(await blobs.open(digest, { start: 0, end: bytes.length }));
          assert.ok(read.equals(bytes));
        }),
      );
    },
  },
  {
    name: "lets a reader go in the middle",
    async run(blobs) {
      const one = sample(3 * MIB);
      await store(blobs, randomUUID(), one);
      const reader = await blobs.open(one.digest, { start: 0, end: one.bytes.length });
      assert.ok(reader !== undefined);
      for await (const chunk of reader) {
        assert.ok(chunk.length > 0);
        break;
      }
      await reader.close();
      await (await blobs.open(one.digest, { start: 0, end: 1 }))?.close();
    },
  },
  {
    name: "can be probed",
    async run(blobs) {
      await blobs.probe();
      const free = await blobs.freeBytes();
      assert.ok(free === undefined || free > 0);
    },
  },
];
