import { ManualClock } from "@kindling/outside";
import { connect } from "node:net";
import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { digestHex, type BundleStatus } from "@kindling/staging-client";
import { eventually } from "@kindling/test-kit/eventually";
import { clusteredServer, collect, DAYS, MINUTES } from "../support/clustered-server.ts";
import { driverPod } from "../support/driver-pod.ts";
import { failWith } from "../support/impostor.ts";
import { MIB, putBlob, sample, stage, type Sample, type StagedBundle } from "../support/stage.ts";
import { jsonCall, openLease, testServer, TEST_OWNER, type TestServer } from "../support/test-server.ts";

async function stateOf(server: TestServer, { bundleId }: StagedBundle): Promise<string> {
  const answer = await server.call(`api/v1/bundles/${bundleId}/status`);
  return answer.status === 404 ? "deleted" : (answer.json as BundleStatus).state;
}

async function ownerState(server: TestServer, { bundleId }: StagedBundle): Promise<string> {
  return ((await server.call(`api/v1/bundles/${bundleId}/status`)).json as BundleStatus).ownerState;
}

async function isStored(server: TestServer, { digest }: Sample): Promise<boolean> {
  const hex = digestHex(digest);
  const path = join(server.config["store.path"], "blobs", hex.slice(0, 2), hex.slice(2));
  return await stat(path).then(
    () => true,
    () => false,
  );
}

async function fetchFile(server: TestServer, bundle: StagedBundle, name: string): Promise<number> {
  return (await server.call(`api/v1/bundles/${bundle.bundleId}/files/${name}`, { headers: bundle.headers })).status;
}

it("drops a bundle that nobody came to use, then its files", async () => {
  const { server, clock } = await clusteredServer();
  const bundle = await stage(server, { a: 1000 });
  const file = bundle.files["a"] ?? sample(0);
  await clock.advance(29 * MINUTES);
  expect((await collect(server)).bundlesDeleted).toEqual([]);
  await clock.advance(2 * MINUTES);
  expect(await collect(server)).toMatchObject({
    bundlesDeleted: [{ bundleId: bundle.bundleId, reason: "unused" }],
    blobsCondemned: 1,
    blobsDeleted: 0,
  });
  expect(await fetchFile(server, bundle, "a")).toBe(401);
  expect(await isStored(server, file)).toBe(true);
  await clock.advance(11 * MINUTES);
  expect(await collect(server)).toMatchObject({ blobsDeleted: 1, bytesFreed: 1000 });
  expect(await isStored(server, file)).toBe(false);
});

it("keeps a bundle while its pod waits for room, runs, and for a grace after its end", async () => {
  const { server, cluster, clock } = await clusteredServer();
  const bundle = await stage(server, { a: 10 });
  cluster.hold();
  const driver = await cluster.createPod(driverPod(), "Pending");
  await collect(server);
  await clock.advance(2 * DAYS);
  await collect(server);
  expect(await stateOf(server, bundle)).toBe("used");
  cluster.release();
  await cluster.inPhase(driver, "Running");
  expect(await fetchFile(server, bundle, "a")).toBe(200);
  await clock.advance(3 * DAYS);
  await collect(server);
  expect(await stateOf(server, bundle)).toBe("used");

  cluster.end(driver, 0);
  await cluster.inPhase(driver, "Succeeded");
  await eventually(async () => expect(await ownerState(server, bundle)).toBe("finished"));
  await collect(server);
  expect(await stateOf(server, bundle)).toBe("orphan");
  await clock.advance(9 * MINUTES);
  await collect(server);
  expect(await fetchFile(server, bundle, "a")).toBe(200);
  await clock.advance(2 * MINUTES);
  expect((await collect(server)).bundlesDeleted).toMatchObject([{ reason: "owner-gone" }]);
  expect(await stateOf(server, bundle)).toBe("deleted");
});

it("takes a bundle back whose owner comes back", async () => {
  const { server, cluster, clock } = await clusteredServer();
  const bundle = await stage(server, { a: 10 });
  await fetchFile(server, bundle, "a");
  await collect(server);
  expect(await stateOf(server, bundle)).toBe("orphan");
  await cluster.createPod(driverPod());
  await eventually(async () => expect(await ownerState(server, bundle)).toBe("present"));
  await collect(server);
  await clock.advance(DAYS);
  await collect(server);
  expect(await stateOf(server, bundle)).toBe("used");
});

it("deletes nothing while the API server is away, however long", async () => {
  const { server, cluster, clock } = await clusteredServer();
  const bundles = [await stage(server, { a: 10 }), await stage(server, { b: 10 })];
  await fetchFile(server, bundles[0] ?? bundles[1] ?? (await stage(server, {})), "a");
  await collect(server);
  failWith(cluster.api, 500);
  await eventually(async () =>
    expect(await ownerState(server, bundles[0] ?? (await stage(server, {})))).toBe("unknown"),
  );
  for (let day = 0; day < 5; day++) {
    await clock.advance(DAYS);
    expect((await collect(server)).bundlesDeleted).toEqual([]);
  }
});

it("deletes nothing on account of the machine's clock", async () => {
  const server = await testServer();
  const bundle = await stage(server, { a: 10 });
  await openLease(server);
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    for (const jump of [1, 30, -60]) {
      vi.setSystemTime(Date.now() + jump * DAYS);
      const report = await collect(server);
      expect([report.bundlesDeleted, report.blobsCondemned]).toEqual([[], 0]);
    }
  } finally {
    vi.useRealTimers();
  }
  expect(await fetchFile(server, bundle, "a")).toBe(200);
});

it("counts only the time for which it runs", async () => {
  const clock = new ManualClock();
  const server = await testServer({ "shutdown.grace": 0, "lifecycle.interval": 1e9 }, { clock });
  const bundle = await stage(server, { a: 10 });
  await clock.advance(20 * MINUTES);
  const later = await server.restart();
  await clock.advance(9 * MINUTES);
  expect((await collect(later)).bundlesDeleted).toEqual([]);
  await clock.advance(2 * MINUTES);
  expect((await collect(later)).bundlesDeleted).toMatchObject([{ bundleId: bundle.bundleId, reason: "unused" }]);
});

it("keeps bundles without a watched owner for as long as is configured", async () => {
  const clock = new ManualClock();
  const server = await testServer(
    { "lifecycle.maxAge": 86_400, "shutdown.grace": 0, "lifecycle.interval": 1e9 },
    { clock },
  );
  const bundle = await stage(server, { a: 10 });
  await fetchFile(server, bundle, "a");
  await clock.advance(23 * 60 * MINUTES);
  expect((await collect(server)).bundlesDeleted).toEqual([]);
  await clock.advance(2 * 60 * MINUTES);
  expect((await collect(server)).bundlesDeleted).toMatchObject([{ reason: "max-age" }]);
});

it("keeps a file that another bundle has, too", async () => {
  const { server, clock } = await clusteredServer();
  const bundle = await stage(server, { a: 1000 });
  const file = bundle.files["a"] ?? sample(0);
  const lease = await openLease(server);
  await putBlob(server, lease, file);
  const files = [{ name: "b", kind: "file", digest: file.digest, size: 1000, mode: 0o644 }];
  await server.call("api/v1/bundles", jsonCall({ lease, owner: TEST_OWNER, files }));
  await server.call(`api/v1/bundles/${bundle.bundleId}`, { method: "DELETE", headers: bundle.headers });
  for (let round = 0; round < 2; round++) {
    await clock.advance(11 * MINUTES);
    expect(await collect(server)).toMatchObject({ blobsCondemned: 0, blobsDeleted: 0 });
  }
  expect(await isStored(server, file)).toBe(true);
});

it("keeps what a lease has asked for or uploaded, until the lease has run out", async () => {
  const { server, clock } = await clusteredServer();
  const bundle = await stage(server, { a: 1000 });
  const known = bundle.files["a"] ?? sample(0);
  const lease = await openLease(server);
  const uploaded = sample(500);
  await putBlob(server, lease, uploaded);
  const question = jsonCall({ lease, digests: [{ digest: known.digest, size: 1000 }] });
  expect((await server.call("api/v1/blobs:missing", question)).json).toEqual({ missing: [] });
  await server.call(`api/v1/bundles/${bundle.bundleId}`, { method: "DELETE", headers: bundle.headers });
  for (let round = 0; round < 6; round++) {
    await clock.advance(14 * MINUTES);
    await server.call("api/v1/blobs:missing", question);
    expect(await collect(server)).toMatchObject({ blobsCondemned: 0, blobsDeleted: 0 });
  }
  await clock.advance(16 * MINUTES);
  expect(await collect(server)).toMatchObject({ blobsCondemned: 2 });
  await clock.advance(11 * MINUTES);
  expect(await collect(server)).toMatchObject({ blobsDeleted: 2 });
});

it("takes a condemned file off the list when somebody wants it again", async () => {
  const { server, clock } = await clusteredServer();
  const bundle = await stage(server, { a: 1000 });
  const file = bundle.files["a"] ?? sample(0);
  await server.call(`api/v1/bundles/${bundle.bundleId}`, { method: "DELETE", headers: bundle.headers });
  expect(await collect(server)).toMatchObject({ blobsCondemned: 1 });
  const lease = await openLease(server);
  expect(await putBlob(server, lease, file)).toBe(201);
  await clock.advance(11 * MINUTES);
  expect(await collect(server)).toMatchObject({ blobsCondemned: 0, blobsDeleted: 0 });
  expect(await isStored(server, file)).toBe(true);
});

it("does not delete what somebody is reading", async () => {
  const { server, clock } = await clusteredServer();
  const bundle = await stage(server, { a: 30 * MIB });
  const file = bundle.files["a"] ?? sample(0);
  const socket = connect(Number(new URL(server.uri).port), "127.0.0.1");
  socket.write(
    `GET /api/v1/bundles/${bundle.bundleId}/files/a HTTP/1.1\r\nHost: x\r\nAuthorization: ${bundle.headers["authorization"]}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once("readable", resolve));
  await server.call(`api/v1/bundles/${bundle.bundleId}`, { method: "DELETE", headers: bundle.headers });
  await collect(server);
  await clock.advance(11 * MINUTES);
  expect(await collect(server)).toMatchObject({ blobsDeleted: 0 });
  expect(await isStored(server, file)).toBe(true);
  socket.destroy();
  await eventually(async () => {
    await collect(server);
    await clock.advance(11 * MINUTES);
    expect(await collect(server)).toMatchObject({ blobsDeleted: 1 });
  });
});

it("reports what it would do, and does nothing, when asked to", async () => {
  const { server, clock } = await clusteredServer();
  const bundle = await stage(server, { a: 1000 });
  await clock.advance(31 * MINUTES);
  expect(await collect(server, true)).toMatchObject({ dryRun: true, bundlesDeleted: [{ bundleId: bundle.bundleId }] });
  expect(await stateOf(server, bundle)).toBe("unused");
});

it("forgets interrupted uploads and what commits left behind", async () => {
  const { server, clock } = await clusteredServer();
  const lease = await openLease(server);
  const one = sample(1000);
  const created = await server.call(`api/v1/uploads?lease=${lease}`, {
    method: "POST",
    headers: {
      "upload-complete": "?0",
      "upload-length": 1000,
      "repr-digest": `sha-256=:${Buffer.from(digestHex(one.digest), "hex").toString("base64")}:`,
      "content-length": 0,
    },
  });
  const ingest = join(server.config["store.path"], "ingest");
  expect(await readdir(ingest)).toHaveLength(1);
  await clock.advance(7 * 60 * MINUTES);
  // The server's own round may have been quicker.
  await collect(server);
  expect(await readdir(ingest)).toEqual([]);
  expect((await server.call(created.headers.location ?? "", { method: "HEAD" })).status).toBe(410);
});

it("deletes a manifest whose commit was never finished, once no commit can be under way any more", async () => {
  const clock = new ManualClock();
  const server = await testServer({ "lifecycle.unusedTtl": 2 * 3600 }, { clock });
  const manifests = join(server.config["store.path"], "meta", "manifests");
  await stage(server, { a: 10 });
  await writeFile(join(manifests, "left.json"), '{"files":[]}');
  const restarted = await server.restart();
  // Also after many collections: the record of a commit may still be on its way to a slow disk.
  for (let round = 0; round < 5; round++) await collect(restarted);
  expect(await readdir(manifests)).toHaveLength(2);
  await clock.advance(61 * MINUTES);
  await collect(restarted);
  expect(await readdir(manifests)).toHaveLength(1);
});
