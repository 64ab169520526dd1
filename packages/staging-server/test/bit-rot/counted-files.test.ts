import { chmod, truncate, unlink } from "node:fs/promises";
import { expect, it } from "vitest";
import type { Digest } from "@kindling/staging-client";
import { blobPath, collect, damageLogged } from "../support/data-folder.ts";
import { putBlob, sample, stage, type Sample, type StagedBundle } from "../support/stage.ts";
import { jsonCall, openLease, problemOf, testServer, type TestServer } from "../support/test-server.ts";

const KIB = 1024;

function server(): Promise<TestServer> {
  return testServer({ "quota.default": 1000 * KIB, "lifecycle.blobGrace": 3600 });
}

/** Stages a bundle with a file of its own. The disk then loses a part of the file, and the server gets a report about it. */
async function stageAndDamage(server: TestServer): Promise<StagedBundle & { readonly one: Sample }> {
  const bundle = await stage(server, { a: 700 * KIB });
  const one = bundle.files["a"] ?? sample(0);
  await shorten(server, one.digest);
  const { bundleId, headers } = bundle;
  const answer = await server.call(`api/v1/bundles/${bundleId}/damaged`, jsonCall({ name: "a" }, headers));
  expect(answer.json).toEqual({ state: "damaged" });
  return { ...bundle, one };
}

async function shorten(server: TestServer, digest: Digest): Promise<void> {
  const path = blobPath(server, digest);
  await chmod(path, 0o640);
  await truncate(path, 10);
  await chmod(path, 0o440);
}

async function remove(server: TestServer, { bundleId, headers }: StagedBundle): Promise<void> {
  await server.call(`api/v1/bundles/${bundleId}`, { method: "DELETE", headers });
}

async function storedBytes(server: TestServer): Promise<number> {
  const { namespaces } = (await server.call("api/v1/stat")).json as { namespaces: { storedBytes: number }[] };
  return namespaces.reduce((sum, namespace) => sum + namespace.storedBytes, 0);
}

it("takes a damaged file again from whoever has no room for another one", async () => {
  const staging = await server();
  const { one } = await stageAndDamage(staging);
  const lease = await openLease(staging);
  const before = await storedBytes(staging);
  const other = sample(700 * KIB);
  const refused = await staging.call(`api/v1/blobs/${other.digest}?lease=${lease}`, {
    method: "PUT",
    body: other.bytes,
  });
  expect(problemOf(refused)).toBe("quota-exceeded");
  expect(await putBlob(staging, lease, one)).toBe(201);
  // Only the note that the lease has it.
  expect(await storedBytes(staging)).toBe(before + 4 * KIB);
});

it("does not take more under the name of a damaged file than that had", async () => {
  const staging = await server();
  const { one } = await stageAndDamage(staging);
  const answer = await staging.call(`api/v1/blobs/${one.digest}?lease=${await openLease(staging)}`, {
    method: "PUT",
    body: Buffer.alloc(900 * KIB),
  });
  expect(problemOf(answer)).toBe("quota-exceeded");
});

it("no longer counts a file as left behind that was put aside", async () => {
  const staging = await server();
  await remove(staging, await stageAndDamage(staging));
  await remove(staging, await stage(staging, { a: 700 * KIB }));
  const lease = await openLease(staging);
  const next = sample(700 * KIB);
  const put = () => staging.call(`api/v1/blobs/${next.digest}?lease=${lease}`, { method: "PUT", body: next.bytes });
  expect(problemOf(await put())).toBe("quota-exceeded");
  await collect(staging);
  expect((await put()).status).toBe(201);
  expect(damageLogged(staging)).toHaveLength(1);
});

it("no longer counts a file as uploaded that the disk has lost", async () => {
  const staging = await server();
  const [lease, before] = [await openLease(staging), await storedBytes(staging)];
  const lost = sample(700 * KIB);
  expect(await putBlob(staging, lease, lost)).toBe(201);
  await unlink(blobPath(staging, lost.digest));
  await collect(staging);
  // The lease, and the note that it has the file.
  expect(await storedBytes(staging)).toBeLessThanOrEqual(before + 8 * KIB);
  expect(await putBlob(staging, lease, lost)).toBe(201);
});
