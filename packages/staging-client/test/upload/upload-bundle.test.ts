import type { IncomingMessage } from "node:http";
import { chmod, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { uploadBundle, type UploadProgress } from "../../src/index.ts";
import { localFiles } from "../support/files.ts";
import { memoryServer } from "../support/memory-server.ts";
import { sendJson } from "../support/stub-server.ts";
import { clientOf, count, OWNER } from "../support/uploads.ts";

it("uploads files and commits them, each under its name", async () => {
  const server = await memoryServer();
  const files = await localFiles({ "small.jar": 100, "large.jar": 50_000, "empty.txt": 0 });
  await chmod(files[0]?.path ?? "", 0o750);
  const bundle = await uploadBundle(clientOf(server), { files, owner: OWNER });
  expect(bundle).toMatchObject({ secret: "secret", expiresIn: 1800 });
  expect(server.bundles[0]).toEqual(bundle.files);
  for (const { name, digest, bytes } of files) {
    expect(server.blobs.get(digest)?.equals(bytes)).toBe(true);
    expect(bundle.files.find((file) => file.name === name)).toMatchObject({ digest, size: bytes.length });
  }
  expect(bundle.files.map(({ mode }) => mode)).toEqual([0o750, 0o644, 0o644]);
  expect([count(server, /^PUT/), count(server, /^PATCH/)]).toEqual([2, 1]);
});

it("sends no file that the server has, and none twice", async () => {
  const server = await memoryServer();
  const files = await localFiles({ a: 20_000, b: 30_000 });
  const [first, second] = files;
  if (first === undefined) throw new Error("no file");
  const client = clientOf(server);
  await uploadBundle(client, { files: [...files, { ...first, name: "same-file" }], owner: OWNER });
  expect(server.received).toBeLessThan(55_000);
  const before = server.received;
  await writeFile(second?.path ?? "", "changed");
  const again = await uploadBundle(client, { files, owner: OWNER });
  expect(again.progress).toMatchObject({ files: 2, filesSkipped: 1, bytesSkipped: 20_000, filesSent: 1, bytesSent: 7 });
  expect(server.received - before).toBeLessThan(2000);
});

it("asks about many files with few questions", async () => {
  const server = await memoryServer();
  const files = await localFiles(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, index])));
  await uploadBundle(clientOf(server), { files, owner: OWNER });
  expect(server.blobs.size).toBe(30);
  // At least eight, because this server accepts four digests at once.
  expect(count(server, /blobs:missing/)).toBeLessThan(16);
});

it.each([
  [{ a: "../a" }, "part"],
  [{ a: "x", b: "X" }, "have the same name"],
  [{ a: "x", b: "x" }, "have the same name"],
])("refuses names that cannot be, before anything is sent: %j", async (names, why) => {
  const server = await memoryServer();
  const files = (await localFiles(Object.fromEntries(Object.keys(names).map((key) => [key, 10])))).map((file) => ({
    ...file,
    name: (names as Record<string, string>)[file.name] ?? "",
  }));
  const uploading = uploadBundle(clientOf(server), { files, owner: OWNER });
  await expect(uploading).rejects.toMatchObject({
    code: "ARGUMENT_INVALID",
    message: expect.stringContaining(why) as string,
  });
  await expect(uploading).rejects.toThrow(files[0]?.path);
  expect(server.lines).toEqual([]);
});

it("stops at once when it is told to, and commits nothing", async () => {
  const server = await memoryServer();
  const files = await localFiles({ a: 3_000_000, b: 3_000_000, c: 100 });
  const abort = new AbortController();
  const progress: UploadProgress[] = [];
  server.intercept = (_request, _response, line) => {
    if (line.startsWith("PATCH")) abort.abort();
    return false;
  };
  const onProgress = (now: UploadProgress): void => void progress.push(now);
  const uploading = uploadBundle(clientOf(server), { files, owner: OWNER, signal: abort.signal, onProgress });
  await expect(uploading).rejects.toMatchObject({ fault: "cancelled", code: "INTERRUPTED" });
  const told = progress.length;
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(progress.length).toBe(told);
  expect(server.bundles).toEqual([]);
});

it("tells how far it is", async () => {
  const server = await memoryServer();
  const files = await localFiles({ a: 2_000_000, b: 1_000_000, known: 500_000 });
  const known = files.find(({ name }) => name === "known");
  server.blobs.set(known?.digest ?? "", known?.bytes ?? Buffer.alloc(0));
  const seen: UploadProgress[] = [];
  await uploadBundle(clientOf(server), { files, owner: OWNER, onProgress: (now) => seen.push(now) });
  const last = seen.at(-1);
  expect(last).toMatchObject({
    files: 3,
    bytes: 3_500_000,
    filesHashed: 3,
    bytesHashed: 3_500_000,
    filesSkipped: 1,
    bytesSkipped: 500_000,
    filesSent: 2,
    bytesSent: 3_000_000,
    retries: 0,
    done: true,
  });
  expect(seen.filter(({ done }) => done)).toHaveLength(1);
  for (const [index, now] of seen.entries()) {
    expect(now.bytesSent).toBeGreaterThanOrEqual(seen[index - 1]?.bytesSent ?? 0);
    expect(now.rate).toBeGreaterThanOrEqual(0);
  }
});

it("sends no more files at once than it may", async () => {
  const server = await memoryServer();
  const files = await localFiles(
    Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, 5000 + index])),
  );
  let open = 0;
  let most = 0;
  const waiting: IncomingMessage[] = [];
  server.intercept = (request, response, line) => {
    if (!line.startsWith("PUT")) return false;
    most = Math.max(most, ++open);
    response.on("close", () => open--);
    // Each request is held until all of them are there, so that they overlap.
    waiting.push(request);
    request.pause();
    if (open === 3 || server.blobs.size >= 18) for (const each of waiting.splice(0)) each.resume();
    expect(request.headers["content-length"]).toBeDefined();
    return false;
  };
  await uploadBundle(clientOf(server), { files, owner: OWNER, concurrency: 3 });
  expect(most).toBe(3);
});

it("does not take another manifest for its own", async () => {
  const server = await memoryServer();
  server.intercept = (request, response, line) => {
    if (line !== "POST /api/v1/bundles") return false;
    request.resume();
    sendJson(response, 201, { bundleId: "b", secret: "s", manifestDigest: `sha256:${"0".repeat(64)}`, expiresIn: 1 });
    return true;
  };
  await expect(
    uploadBundle(clientOf(server), { files: await localFiles({ a: 1 }), owner: OWNER }),
  ).rejects.toMatchObject({ fault: "protocol" });
});
