import { expect, it } from "vitest";
import { digestOf, formatDigestField } from "@kindling/staging-client";
import { MIB, sample } from "../support/stage.ts";
import { openLease, problemOf, sharedServer } from "../support/test-server.ts";
import { append, createUpload, isHere, offsetOf } from "../support/resumable-upload.ts";

const shared = sharedServer();

it("takes a file in pieces", async () => {
  const server = shared();
  const lease = await openLease(server);
  const one = sample(2 * MIB + 5);
  const path = await createUpload(server, lease, one);
  const first = await append(server, path, 0, one.bytes.subarray(0, MIB), false);
  expect([first.status, first.headers["upload-complete"], first.headers["upload-offset"]]).toEqual([
    204,
    "?0",
    String(MIB),
  ]);
  const head = await server.call(path, { method: "HEAD" });
  expect(head.headers).toMatchObject({
    "upload-offset": String(MIB),
    "upload-complete": "?0",
    "upload-length": String(2 * MIB + 5),
    "cache-control": "no-store",
    "upload-draft-interop-version": "8",
  });
  expect(await isHere(server, lease, one)).toBe(false);
  const last = await append(server, path, MIB, one.bytes.subarray(MIB), true);
  expect([last.status, last.headers["upload-complete"]]).toEqual([201, "?1"]);
  expect(await isHere(server, lease, one)).toBe(true);
});

it("can be completed by an empty append", async () => {
  const server = shared();
  const lease = await openLease(server);
  const one = sample(1000);
  const path = await createUpload(server, lease, one);
  await append(server, path, 0, one.bytes, false);
  expect(await isHere(server, lease, one)).toBe(false);
  expect((await append(server, path, 1000, Buffer.alloc(0), true)).status).toBe(201);
  expect(await isHere(server, lease, one)).toBe(true);
});

it("never goes back, and never takes bytes at another offset", async () => {
  const server = shared();
  const lease = await openLease(server);
  const one = sample(3000);
  const path = await createUpload(server, lease, one);
  await append(server, path, 0, one.bytes.subarray(0, 2000), false);
  for (const offset of [0, 1999, 2001, 3000]) {
    const answer = await append(server, path, offset, one.bytes.subarray(offset), false);
    expect([answer.status, problemOf(answer)]).toEqual([409, "mismatching-upload-offset"]);
    expect(answer.headers["upload-offset"]).toBe("2000");
    expect(answer.json).toMatchObject({ "expected-offset": 2000, "provided-offset": offset });
  }
  expect(await offsetOf(server, path)).toBe("2000");
});

it("takes nothing after the end", async () => {
  const server = shared();
  const lease = await openLease(server);
  const one = sample(3000);
  const path = await createUpload(server, lease, one);
  await append(server, path, 0, one.bytes, true);
  const replayed = await append(server, path, 0, one.bytes, true);
  expect([replayed.status, problemOf(replayed)]).toEqual([400, "inconsistent-upload-length"]);
  const empty = await append(server, path, 3000, Buffer.alloc(0), true);
  expect([empty.status, problemOf(empty)]).toEqual([410, "completed-upload"]);
  const head = await server.call(path, { method: "HEAD" });
  expect(head.headers).toMatchObject({ "upload-offset": "3000", "upload-complete": "?1" });
  const other = await append(server, path, 3000, Buffer.from("x"), false);
  expect(problemOf(other)).toBe("inconsistent-upload-length");
  expect(await isHere(server, lease, one)).toBe(true);
});

it("checks the digest of a single append, where there is one", async () => {
  const server = shared();
  const lease = await openLease(server);
  const one = sample(4000);
  const path = await createUpload(server, lease, one);
  const [half, rest] = [one.bytes.subarray(0, 2000), one.bytes.subarray(2000)];
  const good = await append(server, path, 0, half, false, { "content-digest": formatDigestField(digestOf(half)) });
  expect(good.status).toBe(204);
  const bad = await append(server, path, 2000, rest, true, { "content-digest": formatDigestField(digestOf("other")) });
  expect([bad.status, problemOf(bad)]).toEqual([400, "digest-mismatch"]);
});

it("forgets a cancelled upload", async () => {
  const server = shared();
  const lease = await openLease(server);
  const path = await createUpload(server, lease, sample(10));
  expect((await server.call(path, { method: "DELETE" })).status).toBe(204);
  expect((await server.call(path, { method: "HEAD" })).status).toBe(410);
  expect((await server.call("/api/v1/uploads/no-such-upload", { method: "HEAD" })).status).toBe(410);
});

it("says what it takes", async () => {
  const server = shared();
  const answer = await server.call("api/v1/uploads", { method: "OPTIONS" });
  expect(answer.headers).toMatchObject({ "accept-patch": "application/partial-upload" });
  expect(answer.headers["upload-limit"]).toContain("max-size=");
});
