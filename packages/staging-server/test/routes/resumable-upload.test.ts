import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { digestOf, formatDigestField } from "@kindling/staging-client";
import { eventually } from "@kindling/test-kit/eventually";
import { MIB, sample, type Sample } from "../support/stage.ts";
import { httpCall, type Answer } from "../support/http-call.ts";
import { jsonCall, openLease, problemOf, sharedServer, testServer, type TestServer } from "../support/test-server.ts";

async function create(server: TestServer, lease: string, { digest, bytes }: Sample): Promise<string> {
  const answer = await server.call(`api/v1/uploads?lease=${lease}`, {
    method: "POST",
    headers: {
      "upload-complete": "?0",
      "upload-length": bytes.length,
      "repr-digest": formatDigestField(digest),
      "content-length": 0,
    },
  });
  expect(answer.status).toBe(201);
  expect(answer.headers["upload-limit"]).toMatch(/max-size=\d+/);
  return answer.headers.location ?? "";
}

function patch(
  server: TestServer,
  path: string,
  offset: number,
  body: Buffer,
  last: boolean,
  more: Record<string, string> = {},
): Promise<Answer> {
  return server.call(path, {
    method: "PATCH",
    headers: {
      "content-type": "application/partial-upload",
      "upload-offset": offset,
      "upload-complete": last ? "?1" : "?0",
      ...more,
    },
    body,
  });
}

async function offsetOf(server: TestServer, path: string): Promise<string | string[] | undefined> {
  return (await server.call(path, { method: "HEAD" })).headers["upload-offset"];
}

/** Waits until the server has received so many bytes of files. */
async function received(server: TestServer, bytes: number): Promise<void> {
  await eventually(async () => {
    const metrics = await httpCall(`${server.adminUri}metrics`);
    expect(metrics.body.toString()).toMatch(new RegExp(`^staging_received_bytes_total ${bytes}$`, "m"));
  });
}

async function isHere(server: TestServer, lease: string, { digest, bytes }: Sample): Promise<boolean> {
  const body = { lease, digests: [{ digest, size: bytes.length }] };
  const answer = await server.call("api/v1/blobs:missing", jsonCall(body));
  return (answer.json as { missing: string[] }).missing.length === 0;
}

/** A PATCH that has sent some bytes, and then nothing. */
async function stalledPatch(server: TestServer, path: string, body: Buffer, announced: number): Promise<Socket> {
  const socket = connect(Number(new URL(server.uri).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(
    `PATCH ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/partial-upload\r\nUpload-Offset: 0\r\n` +
      `Upload-Complete: ?1\r\nContent-Length: ${announced}\r\n\r\n`,
  );
  await new Promise<void>((resolve) => socket.write(body, () => resolve()));
  return socket;
}

const shared = sharedServer();

it("takes a file in pieces", async () => {
  const server = shared();
  const lease = await openLease(server);
  const one = sample(2 * MIB + 5);
  const path = await create(server, lease, one);
  const first = await patch(server, path, 0, one.bytes.subarray(0, MIB), false);
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
  const last = await patch(server, path, MIB, one.bytes.subarray(MIB), true);
  expect([last.status, last.headers["upload-complete"]]).toEqual([201, "?1"]);
  expect(await isHere(server, lease, one)).toBe(true);
});

it("can be completed by an empty append", async () => {
  const server = shared();
  const lease = await openLease(server);
  const one = sample(1000);
  const path = await create(server, lease, one);
  await patch(server, path, 0, one.bytes, false);
  expect(await isHere(server, lease, one)).toBe(false);
  expect((await patch(server, path, 1000, Buffer.alloc(0), true)).status).toBe(201);
  expect(await isHere(server, lease, one)).toBe(true);
});

it("keeps what arrived before a cut", async () => {
  const server = await testServer();
  const lease = await openLease(server);
  const one = sample(3 * MIB);
  const path = await create(server, lease, one);
  const socket = await stalledPatch(server, path, one.bytes.subarray(0, 700_000), one.bytes.length);
  await received(server, 700_000);
  expect(await offsetOf(server, path)).toBe("700000");
  socket.destroy();
  expect((await patch(server, path, 700_000, one.bytes.subarray(700_000), true)).status).toBe(201);
  expect(await isHere(server, lease, one)).toBe(true);
});

it("goes on after a restart of the server", async () => {
  const server = await testServer();
  const lease = await openLease(server);
  const one = sample(2 * MIB);
  const path = await create(server, lease, one);
  await patch(server, path, 0, one.bytes.subarray(0, MIB), false);
  const restarted = await server.restart();
  expect(await offsetOf(restarted, path)).toBe(String(MIB));
  expect((await patch(restarted, path, MIB, one.bytes.subarray(MIB), true)).status).toBe(201);
  expect(await isHere(restarted, lease, one)).toBe(true);
});

it("finds the bytes of before a restart wrong if they are", async () => {
  const server = await testServer();
  const lease = await openLease(server);
  const [one, other] = [sample(2 * MIB), sample(2 * MIB)];
  const path = await create(server, lease, one);
  await patch(server, path, 0, other.bytes.subarray(0, MIB), false);
  const restarted = await server.restart();
  const answer = await patch(restarted, path, MIB, one.bytes.subarray(MIB), true);
  expect([answer.status, problemOf(answer)]).toEqual([400, "digest-mismatch"]);
  expect((await restarted.call(path, { method: "HEAD" })).status).toBe(410);
  expect(await isHere(restarted, lease, one)).toBe(false);
});

it("lets a later request take over from one that hangs", async () => {
  const server = await testServer();
  const lease = await openLease(server);
  const one = sample(MIB);
  const path = await create(server, lease, one);
  const socket = await stalledPatch(server, path, one.bytes.subarray(0, 1000), one.bytes.length);
  await received(server, 1000);
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  expect((await patch(server, path, 1000, one.bytes.subarray(1000), true)).status).toBe(201);
  await ended;
});

it("says how far an upload is while somebody sends to it, and has them stop", async () => {
  const server = await testServer();
  const one = sample(MIB);
  const path = await create(server, await openLease(server), one);
  const socket = await stalledPatch(server, path, one.bytes.subarray(0, 1000), one.bytes.length);
  await received(server, 1000);
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  expect(await offsetOf(server, path)).toBe("1000");
  await ended;
  expect(await offsetOf(server, path)).toBe("1000");
  expect((await patch(server, path, 1000, one.bytes.subarray(1000), true)).status).toBe(201);
});

it("never goes back, and never takes bytes at another offset", async () => {
  const server = shared();
  const lease = await openLease(server);
  const one = sample(3000);
  const path = await create(server, lease, one);
  await patch(server, path, 0, one.bytes.subarray(0, 2000), false);
  for (const offset of [0, 1999, 2001, 3000]) {
    const answer = await patch(server, path, offset, one.bytes.subarray(offset), false);
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
  const path = await create(server, lease, one);
  await patch(server, path, 0, one.bytes, true);
  const replayed = await patch(server, path, 0, one.bytes, true);
  expect([replayed.status, problemOf(replayed)]).toEqual([400, "inconsistent-upload-length"]);
  const empty = await patch(server, path, 3000, Buffer.alloc(0), true);
  expect([empty.status, problemOf(empty)]).toEqual([410, "completed-upload"]);
  const head = await server.call(path, { method: "HEAD" });
  expect(head.headers).toMatchObject({ "upload-offset": "3000", "upload-complete": "?1" });
  const other = await patch(server, path, 3000, Buffer.from("x"), false);
  expect(problemOf(other)).toBe("inconsistent-upload-length");
  expect(await isHere(server, lease, one)).toBe(true);
});

it.each([
  ["more than announced", 3000, true],
  ["an end before the announced one", 1000, true],
])("refuses %s", async (_what, length, last) => {
  const server = shared();
  const lease = await openLease(server);
  const one = sample(2000);
  const path = await create(server, lease, one);
  const answer = await patch(server, path, 0, sample(length).bytes, last);
  expect([answer.status, problemOf(answer)]).toEqual([400, "inconsistent-upload-length"]);
});

it("ends an upload whose chunks exceed what was announced", async () => {
  const server = shared();
  const lease = await openLease(server);
  const path = await create(server, lease, sample(2000));
  const chunked = { "transfer-encoding": "chunked" };
  const answer = await patch(server, path, 0, sample(5000).bytes, false, chunked);
  expect([answer.status, problemOf(answer)]).toEqual([413, "too-large"]);
  expect((await server.call(path, { method: "HEAD" })).status).toBe(410);
});

it("checks the digest of a single append, where there is one", async () => {
  const server = shared();
  const lease = await openLease(server);
  const one = sample(4000);
  const path = await create(server, lease, one);
  const [half, rest] = [one.bytes.subarray(0, 2000), one.bytes.subarray(2000)];
  const good = await patch(server, path, 0, half, false, { "content-digest": formatDigestField(digestOf(half)) });
  expect(good.status).toBe(204);
  const bad = await patch(server, path, 2000, rest, true, { "content-digest": formatDigestField(digestOf("other")) });
  expect([bad.status, problemOf(bad)]).toEqual([400, "digest-mismatch"]);
});

it.each([
  ["no offset", { "upload-offset": undefined }, 400],
  ["a negative offset", { "upload-offset": "-1" }, 400],
  ["no completeness", { "upload-complete": "true" }, 400],
  ["another media type", { "content-type": "application/octet-stream" }, 415],
])("refuses an append with %s", async (_what, headers, status) => {
  const server = shared();
  const lease = await openLease(server);
  const path = await create(server, lease, sample(10));
  expect((await patch(server, path, 0, Buffer.from("x"), false, headers as Record<string, string>)).status).toBe(
    status,
  );
});

it.each([
  ["no length", { "upload-length": undefined }, 411, "length-required"],
  ["no digest", { "repr-digest": "sha-512=:AAAA:" }, 400, "invalid-digest"],
  ["a length beyond the limit", { "upload-length": "99999999" }, 413, "too-large"],
])("refuses to create an upload with %s", async (_what, headers, status, problem) => {
  const server = await testServer({ "limits.fileBytes": 1000 });
  const lease = await openLease(server);
  const answer = await server.call(`api/v1/uploads?lease=${lease}`, {
    method: "POST",
    headers: {
      "upload-complete": "?0",
      "upload-length": "10",
      "repr-digest": formatDigestField(sample(10).digest),
      "content-length": 0,
      ...headers,
    },
  });
  expect([answer.status, problemOf(answer)]).toEqual([status, problem]);
});

it("hands an interrupted upload to the next submission of the same file", async () => {
  const server = await testServer();
  const one = sample(10_000);
  const path = await create(server, await openLease(server), one);
  await patch(server, path, 0, one.bytes.subarray(0, 6000), false);
  const lease = await openLease(server);
  expect(await create(server, lease, one)).toBe(path);
  expect((await patch(server, path, 6000, one.bytes.subarray(6000), true)).status).toBe(201);
  expect(await isHere(server, lease, one)).toBe(true);
  const stranger = await openLease(server, "team-b");
  expect(await isHere(server, stranger, one)).toBe(false);
  expect(await create(server, stranger, one)).not.toBe(path);
});

it("gives a file to everybody who was sending it, whoever has sent the last of it", async () => {
  const server = shared();
  const one = sample(10_000);
  const [first, second] = [await openLease(server), await openLease(server)];
  const path = await create(server, first, one);
  expect(await create(server, second, one)).toBe(path);
  expect((await patch(server, path, 0, one.bytes.subarray(0, 5000), false)).status).toBe(204);
  expect((await patch(server, path, 5000, one.bytes.subarray(5000), true)).status).toBe(201);
  expect([await isHere(server, first, one), await isHere(server, second, one)]).toEqual([true, true]);
});

it("forgets a cancelled upload", async () => {
  const server = shared();
  const lease = await openLease(server);
  const path = await create(server, lease, sample(10));
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
