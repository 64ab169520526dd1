import { chmod, readdir, readFile, rename, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ManualClock } from "@kindling/outside";
import { type Digest } from "@kindling/staging-client";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { eventually } from "@kindling/test-kit/eventually";
import { blobInspections } from "../../src/lifecycle/blob-inspections.ts";
import { scrub } from "../../src/lifecycle/scrub.ts";
import { serviceClock } from "../../src/metadata/service-clock.ts";
import type { BlobStore } from "../../src/stores/blob-store.ts";
import { openLayout } from "../../src/stores/local-disk/layout.ts";
import { localDiskStore } from "../../src/stores/local-disk/local-disk-store.ts";
import { localDocuments } from "../../src/stores/local-disk/local-documents.ts";
import { store } from "../../src/testing/random-bytes.ts";
import { blobPath, damagedFiles, damageLogged, metric } from "../support/data-folder.ts";
import { MIB, putBlob, sample, stage } from "../support/stage.ts";
import { openLease, testServer, type TestServer } from "../support/test-server.ts";

/** Changes a byte of a stored file, and nothing else: at no moment is there a file that a scrub takes for a new one. */
async function spoil(server: TestServer, digest: Digest): Promise<void> {
  const path = blobPath(server, digest);
  const { atime, mtime } = await stat(path);
  const bytes = await readFile(path);
  bytes[10] = (bytes[10] ?? 0) ^ 1;
  const spoilt = join(scratchFolder().path, "spoilt");
  await writeFile(spoilt, bytes);
  await utimes(spoilt, atime, mtime);
  await chmod(spoilt, 0o440);
  await rename(spoilt, path);
}

it("finds damaged files by itself, says so, and goes on finding them", async () => {
  const server = await testServer({ "scrub.interval": 0.2, "scrub.rate": 64 * MIB });
  const bundle = await stage(server, { a: 100_000, b: 200_000, c: 300_000 });
  await eventually(async () => {
    expect(await metric(server, "staging_scrubbed_bytes_total")).toBeGreaterThan(600_000);
    expect(await metric(server, "staging_scrub_last_pass_timestamp_seconds")).toBeGreaterThan(Date.now() / 1000 - 60);
  });
  expect(await metric(server, "staging_damaged_blobs_total")).toBe(0);
  for (const name of ["a", "b"]) {
    const one = bundle.files[name] ?? sample(0);
    await spoil(server, one.digest);
    await eventually(() => expect(damageLogged(server)).toContain(one.digest));
    expect(await damagedFiles(server)).toContain(`files/${one.digest.slice(7)}`);
    expect(await putBlob(server, await openLease(server), one)).toBe(201);
  }
  expect(await metric(server, "staging_damaged_blobs_total")).toBe(2);
  const whole = await server.call(`api/v1/bundles/${bundle.bundleId}/files/a`, { headers: bundle.headers });
  expect(whole.body.equals(bundle.files["a"]?.bytes ?? Buffer.alloc(0))).toBe(true);
});

it("keeps damaged files for somebody to look into, as far as there is room for them", async () => {
  const settings = { "scrub.interval": 0.2, "scrub.rate": 64 * MIB, "store.damagedBytes": 250_000 };
  const server = await testServer(settings);
  const { files } = await stage(server, { a: 100_000, b: 100_001, c: 100_002 });
  for (const { digest } of Object.values(files)) {
    await spoil(server, digest);
    await eventually(() => expect(damageLogged(server)).toContain(digest));
  }
  expect(await readdir(join(server.config["store.path"], "damaged", "files"))).toHaveLength(2);
});

/** A scrub of a store with a number of files; the store records what is read. */
async function scrubScene(files: number, size: number) {
  const layout = await openLayout(scratchFolder().path);
  const disk = localDiskStore({ layout });
  const documents = await localDocuments(layout.meta);
  for (let index = 0; index < files; index++) await store(disk, `i${index}`, sample(size));
  const read: Digest[] = [];
  const noting: BlobStore = {
    ...disk,
    async verify(digest, pace) {
      const state = (await disk.verify?.(digest, pace)) ?? "absent";
      read.push(digest);
      return state;
    },
  };
  const time = new ManualClock();
  const clock = await serviceClock(documents, time);
  const start = (bytesPerSecond: number) => {
    const one = scrub({
      store: noting,
      documents,
      inspections: blobInspections(disk, time),
      serviceClock: clock,
      timer: time,
      intervalSeconds: 3600,
      bytesPerSecond,
      isBusy: () => false,
      onBytes: () => undefined,
      onError: () => undefined,
    });
    one.start();
    return one;
  };
  return { read, start, time };
}

it("goes on after a restart where it was, and begins no further pass before it is time", async () => {
  const { read, start, time } = await scrubScene(20, 100_000);
  const first = start(1_000_000);
  // A pass begins after ten seconds, and a file takes a tenth of one at this rate.
  await time.advance(10_000);
  await eventually(async () => {
    await time.advance(50);
    expect(read.length).toBeGreaterThan(3);
  });
  await first.stop();
  const before = read.length;
  expect(before).toBeLessThan(20);
  const second = start(100_000_000);
  await time.advance(10_000);
  await eventually(async () => {
    await time.advance(50);
    expect(second.lastPass).toBeDefined();
  });
  await second.stop();
  expect(read).toHaveLength(20);
  expect(new Set(read).size).toBe(20);
  const third = start(100_000_000);
  // It checks every ten seconds whether it is time.
  await eventually(() => expect(time.pending).toBe(1));
  for (let look = 0; look < 5; look++) await time.advance(10_000);
  expect(read).toHaveLength(20);
  await time.advance(3_600_000);
  await eventually(() => expect(read.length).toBeGreaterThan(20));
  await third.stop();
});
