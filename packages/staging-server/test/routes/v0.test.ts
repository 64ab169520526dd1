import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import type { V0Submitted } from "@kindling/staging-client";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { MIB, sample, stage } from "../support/stage.ts";
import { problemOf, sharedServer, testServer, TEST_OWNER, type TestServer } from "../support/test-server.ts";
import type { Answer } from "../support/http-call.ts";

const BOUNDARY = "b7f3d0c2-9a41-4f0e-8f0e-2d6f4d1c7a55";

/** A part as Retrofit 2.2 writes it. */
function part(name: string, type: string, body: Buffer | string): Buffer {
  const bytes = Buffer.from(body);
  const head =
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Transfer-Encoding: binary\r\n` +
    `Content-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n")]);
}

const owner = (fault: object = {}): Buffer =>
  part("resourcesOwner", "application/json", JSON.stringify({ ...TEST_OWNER, ...fault }));
const resources = (bytes: Buffer): Buffer => part("resources", "multipart/form-data", bytes);
const END = Buffer.from(`--${BOUNDARY}--\r\n`);

function submit(server: TestServer, parts: readonly Buffer[], path = "api/v0/resources/"): Promise<Answer> {
  return server.call(path, {
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
    body: Buffer.concat([...parts, END]),
  });
}

function get(server: TestServer, { resourceId, resourceSecret }: V0Submitted): Promise<Answer> {
  return server.call(`api/v0/resources/${resourceId}`, { headers: { authorization: resourceSecret } });
}

const shared = sharedServer();

it("answers a ping", async () => {
  const server = shared();
  const answer = await server.call("api/v0/ping");
  expect([answer.status, answer.body.toString()]).toEqual([200, "pong"]);
  expect(answer.headers["content-type"]).toMatch(/^text\/plain/);
});

it.each(["api/v0/resources/", "api/v0/resources"])("takes the old client's upload at %s, file first", async (path) => {
  const server = shared();
  const { bytes } = sample(3 * MIB + 1);
  const answer = await submit(server, [resources(bytes), owner()], path);
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.json as object).sort()).toEqual(["resourceId", "resourceSecret"]);
  const back = await get(server, answer.json as V0Submitted);
  expect([back.status, back.headers["content-type"]]).toEqual([200, "application/octet-stream"]);
  expect(back.body.equals(bytes)).toBe(true);
});

it("takes an owner before the file as well", async () => {
  const server = shared();
  const { bytes } = sample(2 * MIB);
  const answer = await submit(server, [owner(), resources(bytes)]);
  expect((await get(server, answer.json as V0Submitted)).body.equals(bytes)).toBe(true);
});

it("takes an upload in chunks, whose length nobody announced", async () => {
  const server = shared();
  const { bytes } = sample(2 * MIB);
  const answer = await server.call("api/v0/resources/", {
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}`, "transfer-encoding": "chunked" },
    body: Buffer.concat([resources(bytes), owner(), END]),
  });
  expect((await get(server, answer.json as V0Submitted)).body.equals(bytes)).toBe(true);
});

it("keeps bundles and secrets over a restart", async () => {
  const server = await testServer();
  const { bytes } = sample(1000);
  const answer = await submit(server, [resources(bytes), owner()]);
  const restarted = await server.restart();
  expect((await get(restarted, answer.json as V0Submitted)).body.equals(bytes)).toBe(true);
});

it("tells an unknown id from a wrong secret, as the old server did", async () => {
  const server = shared();
  const { resourceId, resourceSecret } = (await submit(server, [resources(sample(10).bytes), owner()]))
    .json as V0Submitted;
  const wrong = await get(server, { resourceId, resourceSecret: "wrong" });
  expect(wrong.status).toBe(401);
  const missing = await server.call(`api/v0/resources/${resourceId}`);
  expect(missing.status).toBe(401);
  const unknown = await get(server, { resourceId: "11111111-1111-4111-8111-111111111111", resourceSecret });
  expect(unknown.status).toBe(404);
});

it.each([
  ["no file", [owner()], /no part resources$/],
  ["no owner", [resources(Buffer.from("x"))], /no part resourcesOwner/],
  ["two files", [resources(Buffer.from("x")), resources(Buffer.from("y")), owner()], /two parts resources/],
  ["two owners", [resources(Buffer.from("x")), owner(), owner()], /two parts resourcesOwner/],
  [
    "an owner that is no JSON",
    [resources(Buffer.from("x")), part("resourcesOwner", "application/json", "{")],
    /no JSON/,
  ],
  ["an owner that is too large", [resources(Buffer.from("x")), owner({ pad: "x".repeat(70_000) })], /larger than/],
  ["an owner outside", [resources(Buffer.from("x")), owner({ ownerNamespace: "../../x" })], /namespace/],
  ["an owner without labels", [resources(Buffer.from("x")), owner({ ownerLabels: null })], /ownerLabels/],
  [
    "many parts",
    [...Array.from({ length: 9 }, () => part("x", "text/plain", "x")), resources(Buffer.from("x")), owner()],
    /parts/,
  ],
])("refuses an upload with %s", async (_what, parts, why) => {
  const server = await testServer();
  const answer = await submit(server, parts);
  expect([answer.status, problemOf(answer)]).toEqual([400, "invalid-request"]);
  expect((answer.json as { detail: string }).detail).toMatch(why);
  expect((await server.call("api/v1/stat")).json).toMatchObject({ reservedBytes: 0 });
});

it("passes over parts that it does not know", async () => {
  const server = shared();
  const { bytes } = sample(100);
  const answer = await submit(server, [part("extra", "text/plain", "x".repeat(200_000)), resources(bytes), owner()]);
  expect((await get(server, answer.json as V0Submitted)).body.equals(bytes)).toBe(true);
});

it("refuses a file that is too large", async () => {
  const server = await testServer({ "limits.fileBytes": 100_000 });
  const answer = await submit(server, [resources(sample(3 * MIB).bytes), owner()]);
  expect([answer.status, problemOf(answer)]).toEqual([413, "too-large"]);
});

it("keeps nothing of an upload that was cut off", async () => {
  const server = await testServer();
  const body = Buffer.concat([resources(sample(MIB).bytes), owner(), END]);
  const socket = connect(Number(new URL(server.uri).port), "127.0.0.1");
  socket.write(
    `POST /api/v0/resources/ HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await new Promise<void>((resolve) => socket.write(body.subarray(0, 500_000), () => resolve()));
  socket.destroy();
  await expect.poll(async () => (await server.call("api/v1/stat")).json).toMatchObject({ reservedBytes: 0 });
  expect(
    (await server.call("api/v1/gc", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }))
      .json,
  ).toMatchObject({ blobsCondemned: 0 });
});

it("can be closed to uploads", async () => {
  const server = await testServer({ "v0.uploads": "off" });
  const answer = await submit(server, [resources(Buffer.from("x")), owner()]);
  expect(answer.status).toBe(403);
});

it("packs a bundle of version 1 for an old init container, which gunzips and untars", async () => {
  const server = shared();
  const long = `${"n".repeat(150)}.jar`;
  const bundle = await stage(server, { "a.jar": MIB + 3, "empty.txt": 0, [long]: 700, "daten-ä.csv": 512 });
  const answer = await server.call(`api/v0/resources/${bundle.bundleId}`, {
    headers: { authorization: bundle.secret },
  });
  const folder = scratchFolder().path;
  await mkdir(join(folder, "out"));
  await writeFile(join(folder, "a.tar.gz"), answer.body);
  await promisify(execFile)("tar", ["xzf", join(folder, "a.tar.gz"), "-C", join(folder, "out")]);
  for (const [name, { bytes }] of Object.entries(bundle.files)) {
    expect((await readFile(join(folder, "out", name))).equals(bytes)).toBe(true);
  }
  const plain = await server.call(`api/v1/bundles/${bundle.bundleId}/archive.tar`, { headers: bundle.headers });
  await writeFile(join(folder, "a.tar"), plain.body);
  const { stdout } = await promisify(execFile)("tar", ["tf", join(folder, "a.tar")], { env: { LC_ALL: "C.UTF-8" } });
  expect(stdout).toContain("a.jar");
});
