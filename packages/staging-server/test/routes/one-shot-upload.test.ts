import { connect } from "node:net";
import { expect, it } from "vitest";
import { putBlob, sample } from "../support/stage.ts";
import { jsonCall, openLease, problemOf, sharedServer, testServer, type TestServer } from "../support/test-server.ts";

async function missing(
  server: TestServer,
  lease: string,
  digests: readonly { digest: string; bytes: Buffer }[],
): Promise<unknown> {
  const body = { lease, digests: digests.map(({ digest, bytes }) => ({ digest, size: bytes.length })) };
  return (await server.call("api/v1/blobs:missing", jsonCall(body))).json;
}

const shared = sharedServer();

it("takes a file in one request, and does not ask for it again", async () => {
  const server = shared();
  const lease = await openLease(server);
  const [one, other, empty] = [sample(100_000), sample(10), sample(0)];
  expect(await missing(server, lease, [one, other, empty])).toEqual({
    missing: [one.digest, other.digest, empty.digest],
  });
  expect(await putBlob(server, lease, one)).toBe(201);
  expect(await putBlob(server, lease, empty)).toBe(201);
  expect(await missing(server, lease, [one, other, empty])).toEqual({ missing: [other.digest] });
  expect(await putBlob(server, lease, one)).toBe(200);
});

it("takes bytes only if they have the digest announced", async () => {
  const server = shared();
  const lease = await openLease(server);
  const [one, other] = [sample(5000), sample(5000)];
  const path = `api/v1/blobs/${one.digest}?lease=${lease}`;
  const answer = await server.call(path, { method: "PUT", body: other.bytes });
  expect([answer.status, problemOf(answer)]).toEqual([400, "digest-mismatch"]);
  expect(answer.headers["content-type"]).toBe("application/problem+json");
  expect(await missing(server, lease, [one, other])).toEqual({ missing: [one.digest, other.digest] });
});

it.each([
  "SHA256:" + "a".repeat(64),
  "sha256:" + "A".repeat(64),
  "sha256:" + "a".repeat(63),
  "sha256:" + "a".repeat(65),
  "sha512:" + "a".repeat(128),
  "md5:" + "a".repeat(32),
  "a".repeat(64),
  "..%2f..%2fetc%2fpasswd",
])("refuses %s as a digest", async (digest) => {
  const server = shared();
  const lease = await openLease(server);
  const answer = await server.call(`api/v1/blobs/${digest}?lease=${lease}`, { method: "PUT", body: "x" });
  expect([answer.status, problemOf(answer)]).toEqual([400, "invalid-digest"]);
});

it("wants to know the length beforehand", async () => {
  const server = shared();
  const lease = await openLease(server);
  const { digest, bytes } = sample(100);
  const answer = await server.call(`api/v1/blobs/${digest}?lease=${lease}`, {
    method: "PUT",
    headers: { "transfer-encoding": "chunked" },
    body: bytes,
  });
  expect([answer.status, problemOf(answer)]).toEqual([411, "length-required"]);
});

it("refuses a file that is too large before its bytes are sent", async () => {
  const server = await testServer({ "limits.fileBytes": 1000 });
  const lease = await openLease(server);
  const { digest } = sample(1);
  const socket = connect(Number(new URL(server.uri).port), "127.0.0.1");
  const head = `PUT /api/v1/blobs/${digest}?lease=${lease} HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\nExpect: 100-continue\r\n\r\n`;
  socket.write(head);
  const answer = await new Promise<string>((resolve) => socket.once("data", (data) => resolve(data.toString())));
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
  socket.destroy();
});

it("asks a client that waits for its body", async () => {
  const server = shared();
  const lease = await openLease(server);
  const { digest, bytes } = sample(2000);
  const socket = connect(Number(new URL(server.uri).port), "127.0.0.1");
  const next = (): Promise<string> => new Promise((resolve) => socket.once("data", (data) => resolve(data.toString())));
  socket.write(
    `PUT /api/v1/blobs/${digest}?lease=${lease} HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\nExpect: 100-continue\r\n\r\n`,
  );
  expect(await next()).toMatch(/^HTTP\/1.1 100 Continue/);
  socket.write(bytes);
  expect(await next()).toMatch(/^HTTP\/1.1 201 /);
  socket.destroy();
});

it("lets a client that sends regardless read why it is refused", async () => {
  const server = await testServer({ "limits.fileBytes": 1000 });
  const lease = await openLease(server);
  const { digest, bytes } = sample(3_000_000);
  const answer = await server.call(`api/v1/blobs/${digest}?lease=${lease}`, { method: "PUT", body: bytes });
  expect([answer.status, problemOf(answer)]).toEqual([413, "too-large"]);
  expect(answer.headers.connection).toBe("close");
});

it("keeps nothing of a file that was cut off", async () => {
  const server = shared();
  const lease = await openLease(server);
  const one = sample(300_000);
  const path = `api/v1/blobs/${one.digest}?lease=${lease}`;
  await expect(server.call(path, { method: "PUT", body: one.bytes, cutAfter: 100_000 })).rejects.toThrow("cut");
  expect(await missing(server, lease, [one])).toEqual({ missing: [one.digest] });
  expect(await putBlob(server, lease, one)).toBe(201);
});

it("works under a lease that exists, and says what to do otherwise", async () => {
  const server = shared();
  const { digest, bytes } = sample(10);
  for (const lease of ["", "00000000-0000-0000-0000-000000000000", "../../x"]) {
    const answer = await server.call(`api/v1/blobs/${digest}?lease=${lease}`, { method: "PUT", body: bytes });
    expect([answer.status, problemOf(answer)]).toEqual([409, "lease-expired"]);
  }
  const lease = await openLease(server);
  expect((await server.call(`api/v1/leases/${lease}`, { method: "DELETE" })).status).toBe(204);
  const answer = await server.call(`api/v1/blobs/${digest}?lease=${lease}`, { method: "PUT", body: bytes });
  expect(problemOf(answer)).toBe("lease-expired");
});

it("answers questions that are no questions with what is wrong", async () => {
  const server = shared();
  const lease = await openLease(server);
  const questions = [
    { lease, digests: Array.from({ length: 4097 }, () => ({ digest: "x", size: 1 })) },
    { lease, digests: [{ digest: "sha256:x", size: -1 }] },
    { lease, digests: "all" },
    [],
  ];
  for (const question of questions) {
    const answer = await server.call("api/v1/blobs:missing", jsonCall(question));
    expect([answer.status, problemOf(answer)]).toEqual([400, "invalid-request"]);
  }
  const broken = await server.call("api/v1/blobs:missing", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{",
  });
  expect(broken.status).toBe(400);
  const large = await server.call("api/v1/blobs:missing", jsonCall({ lease, digests: ["x".repeat(5_000_000)] }));
  expect([large.status, problemOf(large)]).toEqual([413, "too-large"]);
});
