import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { chunkReleaser } from "../../src/memory/chunk-releaser.ts";
import { openLayout } from "../../src/stores/local-disk/layout.ts";
import { localDiskStore } from "../../src/stores/local-disk/local-disk-store.ts";
import { MIB } from "../support/stage.ts";

it("gives back the memory of buffers that have it for themselves, and of no other", () => {
  const own = Buffer.from(new Uint8Array(100_000).buffer);
  const large = Buffer.from(new Uint8Array(1000).fill(7).buffer);
  const pooled = Buffer.from("part of the pool of all small buffers");
  chunkReleaser()([own, own, large.subarray(1, 500), pooled, Buffer.alloc(0)]);
  expect(own).toHaveLength(0);
  expect(large.every((byte) => byte === 7)).toBe(true);
  expect(pooled.toString()).toBe("part of the pool of all small buffers");
});

it("lets an ingest hold no more memory than what is being written", async () => {
  const store = localDiskStore({ layout: await openLayout(scratchFolder().path) });
  const ingest = await store.begin({ id: randomUUID(), size: undefined });
  const before = process.memoryUsage().arrayBuffers;
  for (let written = 0; written < 96; written++) await ingest.write([Buffer.from(new Uint8Array(MIB).buffer)]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * MIB);
  await ingest.abort();
});
