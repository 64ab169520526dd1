import { expect, it } from "vitest";
import { fakeS3 } from "@kindling/test-kit/fake-s3";
import { eventually } from "@kindling/test-kit/eventually";
import { StoreError } from "../../../src/errors/store-error.ts";
import { blobStoreConformance, documentStoreConformance } from "../../../src/testing/index.ts";
import { MIB, readAll, sample, store, writeAll } from "../../../src/testing/random-bytes.ts";
import { s3Storage } from "../../support/s3-storage.ts";

it.each(blobStoreConformance)("blobs: $name", async (one) => {
  const { store: blobs } = await s3Storage((await fakeS3()).endpoint);
  await expect(one.run(blobs)).resolves.toBeUndefined();
});

it.each(documentStoreConformance)("documents: $name", async (one) => {
  const { documents } = await s3Storage((await fakeS3()).endpoint);
  await expect(one.run(documents)).resolves.toBeUndefined();
});

it("shows a large blob only when all of it is there and verified", async () => {
  const s3 = await fakeS3();
  const { store: blobs } = await s3Storage(s3.endpoint);
  const one = sample(11 * MIB);
  const ingest = await blobs.begin({ id: "one", size: one.bytes.length });
  await writeAll(ingest, one.bytes);
  const sealed = await ingest.seal();
  expect([...s3.objects.keys()].filter((key) => key.includes("/blobs/"))).toEqual([]);
  await sealed.publish(one.digest);
  expect(await blobs.stat(one.digest)).toBe(11 * MIB);
  expect(s3.openUploads).toBe(0);
});

it("leaves no object and no multipart upload of what was dropped", async () => {
  const s3 = await fakeS3();
  const { store: blobs } = await s3Storage(s3.endpoint);
  const { bytes } = sample(11 * MIB);
  const aborted = await blobs.begin({ id: "a", size: bytes.length });
  await writeAll(aborted, bytes);
  await aborted.abort();
  const discarded = await blobs.begin({ id: "b", size: bytes.length });
  await writeAll(discarded, bytes);
  await (await discarded.seal()).discard();
  const suspended = await blobs.begin({ id: "c", size: bytes.length });
  await writeAll(suspended, bytes.subarray(0, 7 * MIB));
  const state = await suspended.suspend();
  await (await blobs.resume({ id: "c", size: bytes.length }, state))?.abort();
  expect([...s3.objects.keys()].filter((key) => !key.includes("/meta/"))).toEqual([]);
  expect(s3.openUploads).toBe(0);

  // Even if it was suspended twice, each time with a tail of its own.
  let twice = await (await blobs.begin({ id: "d", size: 3 * MIB })).suspend();
  for (const step of [0, MIB, 2 * MIB]) {
    const ingest = await blobs.resume({ id: "d", size: 3 * MIB }, twice);
    await ingest?.write([bytes.subarray(step, step + MIB)]);
    twice = (await ingest?.suspend()) ?? {};
  }
  const last = await blobs.resume({ id: "d", size: 3 * MIB }, twice);
  expect(last?.offset).toBe(3 * MIB);
  await last?.abort();
  expect([...s3.objects.keys()].filter((key) => !key.includes("/meta/"))).toEqual([]);
  expect(await blobs.resume({ id: "d", size: 3 * MIB }, twice)).toBeUndefined();
});

it("keeps one copy of the bytes when two upload the same", async () => {
  const s3 = await fakeS3();
  const { store: blobs } = await s3Storage(s3.endpoint);
  const one = sample(6 * MIB);
  await store(blobs, "a", one);
  expect(await store(blobs, "b", one)).toBe("existed");
  expect([...s3.objects.keys()].filter((key) => key.includes("/data/"))).toHaveLength(1);
  await blobs.delete(one.digest);
  expect([...s3.objects.keys()].filter((key) => /\/(data|blobs)\//.test(key))).toEqual([]);
});

it("repeats what failed for a moment", async () => {
  const s3 = await fakeS3();
  const { store: blobs } = await s3Storage(s3.endpoint);
  const slow = { kind: "status", status: 503, code: "SlowDown" } as const;
  s3.fail(/uploads=/, slow, { kind: "lost-answer" });
  s3.fail(/partNumber=1/, slow, { kind: "lost-answer" }, { kind: "status", status: 500, code: "InternalError" });
  s3.fail(/^POST .*uploadId=/, { kind: "late-error" }, { kind: "lost-answer" });
  s3.fail(
    /^PUT .*\/blobs\//,
    { kind: "status", status: 409, code: "ConditionalRequestConflict" },
    { kind: "lost-answer" },
  );
  const one = sample(11 * MIB);
  expect(await store(blobs, "one", one)).toBe("created");
  s3.fail(/^GET .*\/data\//, slow, { kind: "cut", bytes: 100_000 }, { kind: "cut", bytes: 2 * MIB });
  expect((await readAll(await blobs.open(one.digest, { start: 0, end: one.bytes.length }))).equals(one.bytes)).toBe(
    true,
  );
});

it("gives up on what keeps failing, and says so", async () => {
  const s3 = await fakeS3();
  const { store: blobs } = await s3Storage(s3.endpoint);
  const one = sample(100);
  s3.fail(
    /^PUT .*\/blobs\//,
    ...Array.from({ length: 5 }, () => ({ kind: "status", status: 500, code: "InternalError" }) as const),
  );
  await expect(store(blobs, "one", one)).rejects.toMatchObject({ name: "StoreError", kind: "unavailable" });
  s3.fail(/^PUT .*\/blobs\//, { kind: "status", status: 403, code: "AccessDenied" });
  await expect(store(blobs, "two", one)).rejects.toThrow(/AccessDenied/);
  s3.fail(/^PUT .*\/blobs\//, { kind: "status", status: 400, code: "QuotaExceeded" });
  await expect(store(blobs, "three", one)).rejects.toMatchObject({ kind: "no-space" });
});

it("refuses an object that is not the one that was uploaded", async () => {
  const s3 = await fakeS3();
  const { store: blobs } = await s3Storage(s3.endpoint);
  const one = sample(11 * MIB);
  const ingest = await blobs.begin({ id: "one", size: one.bytes.length });
  await writeAll(ingest, one.bytes);
  // Another server continues this upload by mistake, and overwrites a part.
  let part = "";
  for (const line of s3.requests) if (/^PUT .*partNumber=1/.test(line)) part = line.split(" ")[1] ?? "";
  await fetch(`${s3.endpoint}${part}`, {
    method: "PUT",
    body: "other",
    headers: { authorization: "AWS4-HMAC-SHA256 Credential=x" },
  });
  await expect(ingest.seal()).rejects.toBeInstanceOf(StoreError);
  expect(await blobs.stat(one.digest)).toBeUndefined();
});

it("does not take another writer's document for its own", async () => {
  const s3 = await fakeS3();
  const { documents } = await s3Storage(s3.endpoint);
  s3.fail(/^PUT .*\/meta\/cases\//, { kind: "lost-answer" });
  await documents.put("cases", "mine", { by: "me" }, { expect: undefined });
  expect((await documents.get("cases", "mine"))?.value).toEqual({ by: "me" });

  s3.fail(/^PUT .*\/meta\/cases\//, { kind: "status", status: 500, code: "InternalError" });
  let interfered = false;
  s3.onRequest((line) => {
    if (!/^PUT .*\/meta\/cases\/theirs/.test(line) || interfered) return;
    interfered = true;
    void documents.put("cases", "theirs", { by: "them" }, { expect: undefined });
  });
  const attempt = documents.put("cases", "theirs", { by: "me" }, { expect: undefined });
  await expect(attempt).rejects.toMatchObject({ kind: "conflict" });
});

it("signs with the server's clock, wherever its own one stands", async () => {
  const s3 = await fakeS3();
  s3.skew(26 * 3_600_000);
  const { store: blobs } = await s3Storage(s3.endpoint);
  const one = sample(100);
  await store(blobs, "one", one);
  const url = new URL((await blobs.presign?.(one.digest, { expiresIn: 60 })) ?? "");
  const signedAt = url.searchParams.get("X-Amz-Date") ?? "";
  const tomorrow = new Date(Date.now() + 26 * 3_600_000).toISOString().slice(0, 13).replaceAll(/[-T]/g, "");
  expect(signedAt.replace("T", "").slice(0, 10)).toBe(tomorrow);
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(one.bytes)).toBe(true);
});

it("sweeps what processes that are gone have left, and nothing younger", async () => {
  const s3 = await fakeS3();
  const { store: blobs } = await s3Storage(s3.endpoint);
  const [kept, lost] = [sample(6 * MIB), sample(6 * MIB)];
  await store(blobs, "kept", kept);
  const interrupted = await blobs.begin({ id: "interrupted", size: 12 * MIB });
  await writeAll(interrupted, sample(6 * MIB).bytes);
  await interrupted.suspend();
  const sealed = await blobs.begin({ id: "sealed", size: lost.bytes.length });
  await writeAll(sealed, lost.bytes);
  await sealed.seal();
  await blobs.sweep(new Set());
  expect([s3.openUploads, [...s3.objects.keys()].filter((key) => key.includes("/data/")).length]).toEqual([1, 2]);
  s3.skew(25 * 3_600_000);
  await blobs.probe();
  await blobs.sweep(new Set());
  expect(s3.openUploads).toBe(0);
  expect([...s3.objects.keys()].filter((key) => /\/(data|ingest)\//.test(key))).toEqual(["some/where/data/kept"]);
  expect((await readAll(await blobs.open(kept.digest, { start: 0, end: 6 * MIB }))).equals(kept.bytes)).toBe(true);
});

it("does not start with a server that passes over conditions, or a bucket that it may not use", async () => {
  const careless = await fakeS3();
  careless.ignoreConditions();
  await expect(s3Storage(careless.endpoint)).rejects.toMatchObject({ code: "UNSUPPORTED" });
  const closed = await fakeS3();
  closed.fail(/^PUT/, { kind: "status", status: 403, code: "AccessDenied" });
  await expect(s3Storage(closed.endpoint)).rejects.toMatchObject({ code: "CONF_INVALID" });
  await expect(s3Storage("http://127.0.0.1:1/")).rejects.toMatchObject({ code: "CONF_INVALID" });
});

it("holds no more than a few parts, however fast the bytes come", async () => {
  const s3 = await fakeS3();
  const { store: blobs } = await s3Storage(s3.endpoint);
  const ingest = await blobs.begin({ id: "fast", size: undefined });
  const chunk = Buffer.alloc(MIB);
  for (let index = 0; index < 40; index++) await ingest.write([chunk]);
  await ingest.abort();
  expect(s3.mostParts).toBe(2);
  await eventually(() => expect(s3.openUploads).toBe(0));
});
