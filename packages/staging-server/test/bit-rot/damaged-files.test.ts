import { chmod, open, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  bundleSource,
  downloadFile,
  uploadBundle,
  type Digest,
  type FileToUpload,
  type UploadedBundle,
} from "@kindling/staging-client";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { eventually } from "@kindling/test-kit/eventually";
import { blobPath, collect, damagedFiles, damageLogged, metric } from "../support/data-folder.ts";
import { MIB, putBlob, sample, stage, type Sample } from "../support/stage.ts";
import { jsonCall, openLease, problemOf, testServer, TEST_OWNER, type TestServer } from "../support/test-server.ts";

/** Changes one bit of a stored file by writing to it. */
async function overwrite(server: TestServer, digest: Digest): Promise<void> {
  const path = blobPath(server, digest);
  const bytes = await readFile(path);
  bytes[77] = (bytes[77] ?? 0) ^ 1;
  await chmod(path, 0o640);
  await writeFile(path, bytes);
  await chmod(path, 0o440);
}

/** The same as a failing disk does it: only reading the file shows the change. */
async function flip(server: TestServer, digest: Digest, at = 100): Promise<void> {
  const path = blobPath(server, digest);
  const { mode, atime, mtime } = await stat(path);
  await chmod(path, 0o640);
  const file = await open(path, "r+");
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, at);
  byte[0] = (byte[0] ?? 0) ^ 1;
  await file.write(byte, 0, 1, at);
  await file.utimes(atime, mtime);
  await file.close();
  await chmod(path, mode & 0o777);
}

/** A server on a folder with a bundle of one file. The disk has damaged the file while no server ran. */
async function damagedScene(damage: (server: TestServer, one: Sample) => Promise<void>) {
  const first = await testServer({ "lifecycle.blobGrace": 0 });
  const bundle = await stage(first, { a: 300_000 });
  const one = bundle.files["a"] ?? sample(0);
  await first.stop();
  await damage(first, one);
  const server = await testServer({ "lifecycle.blobGrace": 0, "store.path": first.config["store.path"] });
  const get = (name = "a", more = {}) =>
    server.call(`api/v1/bundles/${bundle.bundleId}/files/${name}`, { headers: bundle.headers, ...more });
  const report = () =>
    server.call(`api/v1/bundles/${bundle.bundleId}/damaged`, jsonCall({ name: "a" }, bundle.headers));
  return { server, bundle, one, get, report };
}

async function localFile({ bytes }: Sample): Promise<FileToUpload> {
  const path = join(scratchFolder().path, "a");
  await writeFile(path, bytes);
  return { path, name: "a", kind: "file" };
}

async function download(server: TestServer, { bundleId, secret }: UploadedBundle, digest: Digest): Promise<Buffer> {
  const client = server.client({ retry: { attempts: 2, baseMs: 10 } });
  const target = join(scratchFolder().path, "a");
  const source = bundleSource(client.connection, { bundleId, secret, name: "a" });
  await downloadFile({ source, target, digest, retry: { attempts: 2, baseMs: 10 } });
  return await readFile(target);
}

it("puts a file aside that a client has found damaged, asks for it again, and is whole when it comes", async () => {
  const { server, bundle, one, get } = await damagedScene((server, { digest }) => flip(server, digest));
  const committed = bundle as unknown as UploadedBundle;
  await expect(download(server, committed, one.digest)).rejects.toMatchObject({
    fault: "digest",
    message: expect.stringContaining("the file is damaged where it is stored") as string,
  });
  expect(damageLogged(server)).toEqual([one.digest]);
  expect(await damagedFiles(server)).toEqual([`files/${one.digest.slice(7)}`]);
  expect(await metric(server, "staging_damaged_blobs_total")).toBe(1);
  const answer = await get();
  expect([answer.status, problemOf(answer)]).toEqual([410, "file-damaged"]);
  expect((answer.json as { detail: string }).detail).toContain("submit again");
  expect((await get("a", { method: "HEAD" })).status).toBe(410);
  const archive = await server.call(`api/v1/bundles/${bundle.bundleId}/archive.tar`, { headers: bundle.headers });
  expect(archive.status).toBe(410);
  await collect(server);

  // The same file, in another submission.
  const again = await uploadBundle(server.client(), { files: [await localFile(one)], owner: TEST_OWNER });
  expect(again.progress.filesSent).toBe(1);
  expect((await download(server, again, one.digest)).equals(one.bytes)).toBe(true);
  expect((await download(server, committed, one.digest)).equals(one.bytes)).toBe(true);
  expect((await get()).body.equals(one.bytes)).toBe(true);
});

it("takes a correct upload in place of what it has, also where nobody has noticed that this is damaged", async () => {
  const { server, bundle, one } = await damagedScene((server, { digest }) => flip(server, digest));
  // A client of another namespace, which does not learn that the file is here.
  const lease = await openLease(server, "elsewhere");
  expect(await putBlob(server, lease, one)).toBe(201);
  expect((await download(server, bundle as unknown as UploadedBundle, one.digest)).equals(one.bytes)).toBe(true);
  expect(damageLogged(server)).toEqual([]);
});

it("notices what was written to while it did not run, and asks for it again", async () => {
  const { server, one, bundle } = await damagedScene((server, { digest }) => overwrite(server, digest));
  const again = await uploadBundle(server.client(), { files: [await localFile(one)], owner: TEST_OWNER });
  expect(again.progress.filesSent).toBe(1);
  expect((await download(server, bundle as unknown as UploadedBundle, one.digest)).equals(one.bytes)).toBe(true);
});

it("notices what is written to while it runs, and asks for it again", async () => {
  const server = await testServer();
  const bundle = await stage(server, { a: 300_000 });
  const digest = bundle.files["a"]?.digest ?? sample(0).digest;
  await overwrite(server, digest);
  const lease = await openLease(server);
  const asked = { lease, digests: [{ digest, size: 300_000 }] };
  expect((await server.call("api/v1/blobs:missing", jsonCall(asked))).json).toEqual({ missing: [digest] });
  expect(damageLogged(server)).toEqual([digest]);
});

it.each([
  ["shorter", 299_999],
  ["empty", 0],
  ["longer", 300_001],
])("serves nothing of a file that is %s than it was, and puts it aside", async (_what, size) => {
  const { server, one, get } = await damagedScene((server, { digest }) => truncate(blobPath(server, digest), size));
  const answer = await get();
  expect([answer.status, problemOf(answer)]).toEqual([410, "file-damaged"]);
  await eventually(() => expect(damageLogged(server)).toEqual([one.digest]));
  expect(await putBlob(server, await openLease(server), one)).toBe(201);
  expect((await get()).body.equals(one.bytes)).toBe(true);
});

it("cuts a download whose file becomes shorter, and puts the file aside", async () => {
  const server = await testServer();
  const bundle = await stage(server, { a: 40 * MIB });
  const digest = bundle.files["a"]?.digest ?? sample(0).digest;
  const socket = connect(Number(new URL(server.uri).port), "127.0.0.1");
  const closed = new Promise<number>((resolve) => socket.once("close", () => resolve(socket.bytesRead)));
  socket.write(
    `GET /api/v1/bundles/${bundle.bundleId}/files/a HTTP/1.1\r\nHost: x\r\nAuthorization: ${bundle.headers["authorization"]}\r\n\r\n`,
  );
  await new Promise<void>((resolve) => socket.once("data", () => resolve()));
  socket.pause();
  await truncate(blobPath(server, digest), 20 * MIB);
  socket.resume();
  expect(await closed).toBeLessThan(40 * MIB);
  await eventually(() => expect(damageLogged(server)).toEqual([digest]));
  const lines = server.logLines.filter((line) => line.includes("download failed"));
  expect(lines.join()).toContain("shorter than what was stored");
  const answer = await server.call(`api/v1/bundles/${bundle.bundleId}/files/a`, { headers: bundle.headers });
  expect(answer.status).toBe(410);
});

it("verifies files whose marks a backup has lost when they are first used, and starts without waiting", async () => {
  const { server, bundle, one } = await damagedScene((server, { digest }) => chmod(blobPath(server, digest), 0o644));
  expect((await download(server, bundle as unknown as UploadedBundle, one.digest)).equals(one.bytes)).toBe(true);
  expect((await stat(blobPath(server, one.digest))).mode & 0o777).toBe(0o440);
  const { get } = await damagedScene(async (server, { digest }) => {
    await flip(server, digest);
    await chmod(blobPath(server, digest), 0o644);
  });
  expect((await get()).status).toBe(410);
});

it("says what it found to whoever has the bundle's secret, and looks once however often it is asked", async () => {
  const { server, bundle, report } = await damagedScene(() => Promise.resolve());
  expect((await report()).json).toEqual({ state: "sound" });
  const reads = server.logLines.length;
  for (let round = 0; round < 5; round++) expect((await report()).json).toEqual({ state: "sound" });
  expect(server.logLines.length).toBeGreaterThan(reads);
  const wrong = jsonCall({ name: "a" }, { authorization: "Bearer wrong" });
  expect((await server.call(`api/v1/bundles/${bundle.bundleId}/damaged`, wrong)).status).toBe(401);
  const unknown = jsonCall({ name: "other" }, bundle.headers);
  expect((await server.call(`api/v1/bundles/${bundle.bundleId}/damaged`, unknown)).status).toBe(404);
});
