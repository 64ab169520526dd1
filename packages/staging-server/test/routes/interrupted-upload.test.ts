import { expect, it } from "vitest";
import { MIB, sample } from "../support/stage.ts";
import { openLease, problemOf, sharedServer, testServer } from "../support/test-server.ts";
import { append, createUpload, isHere, offsetOf, received, stalledPatch } from "../support/resumable-upload.ts";

const shared = sharedServer();

it("keeps what arrived before a cut", async () => {
  const server = await testServer();
  const lease = await openLease(server);
  const one = sample(3 * MIB);
  const path = await createUpload(server, lease, one);
  const socket = await stalledPatch(server, path, one.bytes.subarray(0, 700_000), one.bytes.length);
  await received(server, 700_000);
  expect(await offsetOf(server, path)).toBe("700000");
  socket.destroy();
  expect((await append(server, path, 700_000, one.bytes.subarray(700_000), true)).status).toBe(201);
  expect(await isHere(server, lease, one)).toBe(true);
});

it("goes on after a restart of the server", async () => {
  const server = await testServer();
  const lease = await openLease(server);
  const one = sample(2 * MIB);
  const path = await createUpload(server, lease, one);
  await append(server, path, 0, one.bytes.subarray(0, MIB), false);
  const restarted = await server.restart();
  expect(await offsetOf(restarted, path)).toBe(String(MIB));
  expect((await append(restarted, path, MIB, one.bytes.subarray(MIB), true)).status).toBe(201);
  expect(await isHere(restarted, lease, one)).toBe(true);
});

it("finds the bytes of before a restart wrong if they are", async () => {
  const server = await testServer();
  const lease = await openLease(server);
  const [one, other] = [sample(2 * MIB), sample(2 * MIB)];
  const path = await createUpload(server, lease, one);
  await append(server, path, 0, other.bytes.subarray(0, MIB), false);
  const restarted = await server.restart();
  const answer = await append(restarted, path, MIB, one.bytes.subarray(MIB), true);
  expect([answer.status, problemOf(answer)]).toEqual([400, "digest-mismatch"]);
  expect((await restarted.call(path, { method: "HEAD" })).status).toBe(410);
  expect(await isHere(restarted, lease, one)).toBe(false);
});

it("lets a later request take over from one that hangs", async () => {
  const server = await testServer();
  const lease = await openLease(server);
  const one = sample(MIB);
  const path = await createUpload(server, lease, one);
  const socket = await stalledPatch(server, path, one.bytes.subarray(0, 1000), one.bytes.length);
  await received(server, 1000);
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  expect((await append(server, path, 1000, one.bytes.subarray(1000), true)).status).toBe(201);
  await ended;
});

it("says how far an upload is while somebody sends to it, and has them stop", async () => {
  const server = await testServer();
  const one = sample(MIB);
  const path = await createUpload(server, await openLease(server), one);
  const socket = await stalledPatch(server, path, one.bytes.subarray(0, 1000), one.bytes.length);
  await received(server, 1000);
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  expect(await offsetOf(server, path)).toBe("1000");
  await ended;
  expect(await offsetOf(server, path)).toBe("1000");
  expect((await append(server, path, 1000, one.bytes.subarray(1000), true)).status).toBe(201);
});

it("hands an interrupted upload to the next submission of the same file", async () => {
  const server = await testServer();
  const one = sample(10_000);
  const path = await createUpload(server, await openLease(server), one);
  await append(server, path, 0, one.bytes.subarray(0, 6000), false);
  const lease = await openLease(server);
  expect(await createUpload(server, lease, one)).toBe(path);
  expect((await append(server, path, 6000, one.bytes.subarray(6000), true)).status).toBe(201);
  expect(await isHere(server, lease, one)).toBe(true);
  const stranger = await openLease(server, "team-b");
  expect(await isHere(server, stranger, one)).toBe(false);
  expect(await createUpload(server, stranger, one)).not.toBe(path);
});

it("gives a file to everybody who was sending it, whoever has sent the last of it", async () => {
  const server = shared();
  const one = sample(10_000);
  const [first, second] = [await openLease(server), await openLease(server)];
  const path = await createUpload(server, first, one);
  expect(await createUpload(server, second, one)).toBe(path);
  expect((await append(server, path, 0, one.bytes.subarray(0, 5000), false)).status).toBe(204);
  expect((await append(server, path, 5000, one.bytes.subarray(5000), true)).status).toBe(201);
  expect([await isHere(server, first, one), await isHere(server, second, one)]).toEqual([true, true]);
});
