import { execFileSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { formatDigestField } from "@kindling/staging-client";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { eventually } from "@kindling/test-kit/eventually";
import { faultyDiskServer, type DiskFault, type FaultyDiskServer } from "../support/faulty-disk-server.ts";
import type { Answer } from "../support/http-call.ts";
import { manifestOf, MIB, sample, type Sample } from "../support/stage.ts";
import { jsonCall, TEST_OWNER } from "../support/test-server.ts";

async function openLease(server: FaultyDiskServer): Promise<string> {
  const answer = await server.call("api/v1/leases", jsonCall({ namespace: "default" }));
  expect(answer.status).toBe(201);
  return (answer.json as { leaseId: string }).leaseId;
}

async function create(server: FaultyDiskServer, lease: string, { digest, bytes }: Sample): Promise<string> {
  const headers = {
    "upload-complete": "?0",
    "upload-length": bytes.length,
    "repr-digest": formatDigestField(digest),
    "content-length": 0,
  };
  const answer = await server.call(`api/v1/uploads?lease=${lease}`, { method: "POST", headers });
  expect(answer.status).toBe(201);
  return answer.headers.location ?? "";
}

function patch(server: FaultyDiskServer, path: string, { bytes }: Sample, from: number, to: number): Promise<Answer> {
  const headers = {
    "content-type": "application/partial-upload",
    "upload-offset": from,
    "upload-complete": to === bytes.length ? "?1" : "?0",
  };
  return server.call(path, { method: "PATCH", headers, body: bytes.subarray(from, to) });
}

interface HalfDone {
  readonly one: Sample;
  readonly path: string;
  readonly lease: string;
}

async function halfDone(server: FaultyDiskServer, size: number): Promise<HalfDone> {
  const one = sample(size);
  const lease = await openLease(server);
  const path = await create(server, lease, one);
  expect((await patch(server, path, one, 0, size / 2)).status).toBe(204);
  return { one, path, lease };
}

async function committed(server: FaultyDiskServer): Promise<{ bundleId: string; headers: Record<string, string> }> {
  const one = sample(10_000);
  const lease = await openLease(server);
  await server.call(`api/v1/blobs/${one.digest}?lease=${lease}`, { method: "PUT", body: one.bytes });
  const files = manifestOf({ a: one });
  const commit = await server.call("api/v1/bundles", jsonCall({ lease, owner: TEST_OWNER, files }));
  expect(commit.status).toBe(201);
  const { bundleId, secret } = commit.json as { bundleId: string; secret: string };
  return { bundleId, headers: { authorization: `Bearer ${secret}` } };
}

/** Finishes the same upload from its current offset, and commits a bundle of it that can be read. */
async function goOn(server: FaultyDiskServer, { one, path, lease }: HalfDone): Promise<void> {
  // A request that was under way while the disk failed may still fail after the disk works again: clients retry, too.
  await eventually(async () => {
    const head = await server.call(path, { method: "HEAD" });
    expect(head.status).toBe(204);
    const from = Number(head.headers["upload-offset"]);
    expect(from).toBeGreaterThanOrEqual(one.bytes.length / 2);
    expect((await patch(server, path, one, from, one.bytes.length)).status).toBe(201);
  });
  const files = manifestOf({ a: one });
  const commit = await server.call("api/v1/bundles", jsonCall({ lease, owner: TEST_OWNER, files }));
  expect(commit.status).toBe(201);
  const { bundleId, secret } = commit.json as { bundleId: string; secret: string };
  const headers = { authorization: `Bearer ${secret}` };
  const read = await server.call(`api/v1/bundles/${bundleId}/files/a`, { headers });
  expect(read.body.equals(one.bytes)).toBe(true);
}

async function readiness(server: FaultyDiskServer): Promise<Answer> {
  return await server.call(new URL("readyz", server.adminUri).href);
}

const CONDITIONS: readonly [string, DiskFault, number, number][] = [
  ["full", { kind: "new", code: "ENOSPC" }, 507, 200],
  ["at its quota", { kind: "new", code: "EDQUOT" }, 507, 200],
  ["read-only", { kind: "write", code: "EROFS" }, 503, 200],
  ["failing to write", { kind: "write", code: "EIO" }, 503, 200],
  ["out of descriptors", { kind: "opening", code: "EMFILE" }, 503, 503],
  ["failing altogether", { kind: "all", code: "EIO" }, 503, 503],
];

it.each(CONDITIONS)(
  "answers everything while the disk is %s, and goes on with the same upload afterwards",
  async (_what, fault, status, ready) => {
    const server = await faultyDiskServer({ "store.path": scratchFolder().path });
    const kept = await halfDone(server, 400_000);
    const givenUp = await halfDone(server, 400_000);
    const bundle = await committed(server);
    await server.arm(fault);
    for (let round = 0; round < 3; round++) {
      expect((await patch(server, kept.path, kept.one, 200_000, 400_000)).status).toBe(status);
      expect([204, 503]).toContain((await server.call(kept.path, { method: "HEAD" })).status);
    }
    // Freeing room needs no room.
    const given = await server.call(givenUp.path, { method: "DELETE" });
    expect(given.status).toBe(fault.kind === "new" ? 204 : 503);
    const deleted = await server.call(`api/v1/bundles/${bundle.bundleId}`, {
      method: "DELETE",
      headers: bundle.headers,
    });
    expect(deleted.status).toBe(fault.kind === "new" ? 204 : 503);
    const refused = await server.call("api/v1/leases", jsonCall({ namespace: "default" }));
    expect(refused.status).toBe(status);
    const one = sample(1000);
    const put = { method: "PUT", body: one.bytes };
    expect((await server.call(`api/v1/blobs/${one.digest}?lease=${kept.lease}`, put)).status).toBe(status);
    expect([200, 503]).toContain((await server.call("api/v1/gc", jsonCall({}))).status);
    expect((await readiness(server)).status).toBe(ready);
    await server.arm(null);
    await goOn(server, kept);
    await eventually(async () => expect(await server.openFiles()).toEqual([]));
  },
  60_000,
);

function mountTmpfs(folder: string, options: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return false;
  }
  onTestFinished(() => void execFileSync("umount", ["-l", folder], { stdio: "ignore" }));
  return true;
}

it("starts on a volume that is really full, and serves what it has", async ({ skip }) => {
  const volume = scratchFolder().path;
  if (!mountTmpfs(volume, "size=4m")) skip("mounting a small volume needs root");
  const folder = join(volume, "data");
  const first = await faultyDiskServer({ "store.path": folder });
  const bundle = await committed(first);
  await first.kill();
  await writeFile(join(volume, "filler"), Buffer.alloc(8 * MIB)).catch(() => undefined);
  await writeFile(join(volume, "filler-pages"), Buffer.alloc(4096)).catch(() => undefined);
  const server = await faultyDiskServer({ "store.path": folder });
  const file = await server.call(`api/v1/bundles/${bundle.bundleId}/files/a`, { headers: bundle.headers });
  expect(file.status).toBe(200);
  const gone = { method: "DELETE", headers: bundle.headers };
  expect((await server.call(`api/v1/bundles/${bundle.bundleId}`, gone)).status).toBe(204);
});

it("frees a volume that is really full, and goes on with the same upload", async ({ skip }) => {
  const volume = scratchFolder().path;
  if (!mountTmpfs(volume, "size=16m")) skip("mounting a small volume needs root");
  const folder = join(volume, "data");
  await mkdir(folder);
  const server = await faultyDiskServer({
    "store.path": folder,
    "lifecycle.blobGrace": 0,
    "lifecycle.maxAge": 1,
    "lifecycle.unusedTtl": 1,
  });
  // Bundles that have expired by the next collection.
  for (let index = 0; index < 3; index++) {
    const old = await halfDone(server, MIB);
    await goOn(server, old);
  }
  const bundle = await committed(server);
  const kept = await halfDone(server, 8 * MIB);
  const filler = join(volume, "filler");
  await writeFile(filler, Buffer.alloc(32 * MIB)).catch(() => undefined);
  await writeFile(filler, Buffer.alloc(64 * 1024), { flag: "a" }).catch(() => undefined);
  await writeFile(`${filler}-pages`, Buffer.alloc(4096)).catch(() => undefined);
  expect((await patch(server, kept.path, kept.one, 4 * MIB, 8 * MIB)).status).toBe(507);
  expect((await server.call(kept.path, { method: "HEAD" })).status).toBe(204);
  // A change of an existing document needs no additional room in the end.
  const bind = { ...jsonCall({ uid: "pod-1" }, bundle.headers), method: "PATCH" };
  expect((await server.call(`api/v1/bundles/${bundle.bundleId}/owner`, bind)).status).toBe(204);
  const free = async (): Promise<number> =>
    ((await server.call("api/v1/stat")).json as { freeBytes: number }).freeBytes;
  await eventually(async () => {
    expect((await server.call("api/v1/gc", jsonCall({}))).status).toBe(200);
    expect(await free()).toBeGreaterThan(2 * MIB);
  });
  await rm(filler);
  await goOn(server, kept);
  await eventually(async () => expect(await server.openFiles()).toEqual([]));
}, 60_000);
