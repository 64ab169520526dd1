import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { blobStoreConformance, documentStoreConformance } from "../../../src/testing/index.ts";
import { MIB, readAll, sample, store, writeAll } from "../../../src/testing/random-bytes.ts";
import { fakeHdfs } from "@kindling/test-kit/fake-hdfs";
import { hdfsStorage } from "../../support/hdfs-storage.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

it.each(blobStoreConformance)("blobs: $name", async (one) => {
  const { store: blobs } = await hdfsStorage([(await fakeHdfs()).endpoint]);
  await expect(one.run(blobs)).resolves.toBeUndefined();
});

it.each(documentStoreConformance)("documents: $name", async (one) => {
  const { documents } = await hdfsStorage([(await fakeHdfs()).endpoint]);
  await expect(one.run(documents)).resolves.toBeUndefined();
});

it("leaves no file of what was published or dropped but the blob itself", async () => {
  const hdfs = await fakeHdfs();
  const { store: blobs } = await hdfsStorage([hdfs.endpoint]);
  const one = sample(9 * MIB);
  await store(blobs, "kept", one);
  await store(blobs, "again", one);
  const dropped = await blobs.begin({ id: "dropped", size: one.bytes.length });
  await writeAll(dropped, one.bytes);
  await dropped.abort();
  expect(hdfs.paths().filter((path) => !path.includes("/meta/"))).toEqual([expect.stringContaining("/blobs/")]);
});

it("repeats what failed for a moment, and asks the name node that is active", async () => {
  const [standby, hdfs] = [await fakeHdfs(), await fakeHdfs()];
  const refuses = { kind: "exception", status: 403, exception: "StandbyException" } as const;
  for (const op of ["MKDIRS", "CREATE", "RENAME", "LISTSTATUS", "GETFILESTATUS", "OPEN", "DELETE"])
    standby.fail(op, ...Array.from({ length: 50 }, () => refuses));
  const { store: blobs } = await hdfsStorage([standby.endpoint, hdfs.endpoint]);
  const one = sample(6 * MIB);
  hdfs.fail("RENAME", { kind: "exception", status: 500, exception: "RuntimeException" });
  hdfs.fail("CREATE", { kind: "exception", status: 403, exception: "RetriableException" });
  hdfs.fail("OPEN", { kind: "cut", bytes: 100_000 }, { kind: "cut", bytes: 2 * MIB });
  expect(await store(blobs, "one", one)).toBe("created");
  expect((await readAll(await blobs.open(one.digest, { start: 0, end: one.bytes.length }))).equals(one.bytes)).toBe(
    true,
  );
});

it("copies the bytes where HDFS cannot put files together", async () => {
  const hdfs = await fakeHdfs();
  const { store: blobs } = await hdfsStorage([hdfs.endpoint]);
  hdfs.fail("CONCAT", { kind: "exception", status: 400, exception: "UnsupportedOperationException" });
  const one = sample(9 * MIB);
  await store(blobs, "one", one);
  expect((await readAll(await blobs.open(one.digest, { start: 0, end: one.bytes.length }))).equals(one.bytes)).toBe(
    true,
  );
});

it("goes on after a broken data node with what was closed before", async () => {
  const hdfs = await fakeHdfs();
  const { store: blobs } = await hdfsStorage([hdfs.endpoint]);
  const one = sample(12 * MIB);
  let safe: { state: Readonly<Record<string, unknown>>; offset: number } | undefined;
  const options = { id: "one", size: one.bytes.length };
  const ingest = await blobs.begin({
    ...options,
    onState(state, offset) {
      safe = { state, offset };
      return Promise.resolve();
    },
  });
  await writeAll(ingest, one.bytes.subarray(0, 5 * MIB));
  hdfs.fail("CREATE", { kind: "cut", bytes: MIB });
  await expect(writeAll(ingest, one.bytes.subarray(5 * MIB)).then(() => ingest.suspend())).rejects.toMatchObject({
    kind: "unavailable",
  });
  await ingest.abandon();
  const resumed = await blobs.resume(options, safe?.state ?? {});
  expect(resumed?.offset).toBe(safe?.offset);
  await writeAll(resumed ?? ingest, one.bytes.subarray(safe?.offset));
  const sealed = await (resumed ?? ingest).seal();
  expect((await readAll(await sealed.read())).equals(one.bytes)).toBe(true);
  expect(await sealed.publish(one.digest)).toBe("created");
});

it("knows its own change of a document, whose answer was lost, from another one's", async () => {
  const hdfs = await fakeHdfs();
  const { documents } = await hdfsStorage([hdfs.endpoint]);
  hdfs.fail("RENAME", { kind: "lost-answer" });
  const version = await documents.put("cases", "a", 1, { expect: undefined });
  hdfs.fail("RENAME", { kind: "lost-answer" });
  await documents.put("cases", "a", 2, { expect: version });
  expect((await documents.get("cases", "a"))?.value).toBe(2);
  await expect(documents.put("cases", "a", 3, { expect: version })).rejects.toMatchObject({ kind: "conflict" });
});

it("is led to no host that was not named, and gives its password to none", async () => {
  const hdfs = await fakeHdfs();
  const basicAuthFile = join(scratchFolder().path, "basic");
  await writeFile(basicAuthFile, "user:password\n");
  const { store: blobs } = await hdfsStorage([hdfs.endpoint], {
    "store.webhdfs.dataHosts": ["127.0.0.1"],
    "store.webhdfs.basicAuthFile": basicAuthFile,
  });
  hdfs.fail("CREATE", { kind: "astray" });
  await expect(store(blobs, "astray", sample(10))).rejects.toThrow(/169\.254\.169\.254/);
  const one = sample(10);
  await store(blobs, "one", one);
  await readAll(await blobs.open(one.digest, { start: 0, end: 10 }));
  expect(hdfs.dataAuthorizations.length).toBeGreaterThan(1);
  expect(new Set(hdfs.dataAuthorizations)).toEqual(new Set([undefined]));
});

it("tells a full quota from a server that is away", async () => {
  const hdfs = await fakeHdfs();
  const { store: blobs } = await hdfsStorage([hdfs.endpoint]);
  hdfs.fail("CREATE", { kind: "exception", status: 403, exception: "DSQuotaExceededException" });
  await expect(store(blobs, "one", sample(10))).rejects.toMatchObject({ kind: "no-space" });
  await expect(hdfsStorage(["http://127.0.0.1:1"])).rejects.toMatchObject({ code: "CONF_INVALID" });
  await expect(hdfsStorage(["hdfs://name:8020"])).rejects.toMatchObject({ code: "CONF_INVALID" });
});

it("sweeps what processes that are gone have left, and old states of documents", async () => {
  const hdfs = await fakeHdfs();
  const { store: blobs, documents } = await hdfsStorage([hdfs.endpoint]);
  const left = await blobs.begin({ id: "left", size: 6 * MIB });
  await writeAll(left, sample(5 * MIB).bytes);
  await left.suspend();
  let version: string | undefined;
  for (let round = 0; round < 4; round++) version = await documents.put("cases", "a", round, { expect: version });
  await blobs.sweep(new Set());
  const count = (part: string): number => hdfs.paths().filter((path) => path.includes(part)).length;
  expect([count("/ingest/"), count("/meta/")]).toEqual([2, 4]);
  hdfs.skew(25 * 3_600_000);
  await blobs.probe();
  await blobs.sweep(new Set());
  await documents.put("cases", "a", 5, { expect: version });
  expect([count("/ingest/"), count("/meta/")]).toEqual([0, 2]);
});
