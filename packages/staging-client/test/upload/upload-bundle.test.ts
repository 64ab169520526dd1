import type { IncomingMessage } from "node:http";
import { renameSync } from "node:fs";
import { appendFile, chmod, writeFile } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import {
  connectStaging,
  uploadBundle,
  type StagedResourcesOwner,
  type StagingClient,
  type UploadProgress,
} from "../../src/index.ts";
import { localFiles } from "../support/files.ts";
import { memoryServer, type MemoryServer } from "../support/memory-server.ts";
import { sendJson, sendProblem } from "../support/stub-server.ts";

const OWNER: StagedResourcesOwner = { ownerNamespace: "default", ownerLabels: { app: "x" }, ownerType: "Pod" };

function clientOf({ uri }: MemoryServer): StagingClient {
  const client = connectStaging({ uri, retry: { attempts: 4, baseMs: 2, capMs: 10 } });
  onTestFinished(() => client.close());
  return client;
}

const count = (server: MemoryServer, pattern: RegExp): number =>
  server.lines.filter((line) => pattern.test(line)).length;

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
  // Eight at least, as this server takes four digests at once.
  expect(count(server, /blobs:missing/)).toBeLessThan(16);
});

it.each([1, 100, 65_535, 65_536, 1_000_000, 1_999_999])(
  "resumes an upload that was cut after %i bytes",
  async (cut) => {
    const server = await memoryServer();
    const files = await localFiles({ large: 2_000_000 });
    server.cutBodyAfter = cut;
    const bundle = await uploadBundle(clientOf(server), { files, owner: OWNER });
    expect(server.blobs.get(files[0]?.digest ?? "")?.equals(files[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(count(server, /^HEAD/)).toBeGreaterThan(0);
    expect(bundle.progress).toMatchObject({ bytesSent: 2_000_000, filesSent: 1 });
  },
);

it("resumes however often it is cut, as long as it gets on", async () => {
  const server = await memoryServer();
  const files = await localFiles({ large: 1_000_000 });
  server.intercept = (_request, _response, line) => {
    if (line.startsWith("PATCH")) server.cutBodyAfter ??= 90_000;
    return false;
  };
  await uploadBundle(clientOf(server), { files, owner: OWNER });
  expect(count(server, /^PATCH/)).toBeGreaterThan(8);
  expect(server.blobs.size).toBe(1);
  // Nothing is sent again that the server has.
  expect(server.received).toBeLessThan(1_000_000 + 12 * 150_000);
});

it("begins an upload anew that the server has forgotten, but not for ever", async () => {
  const server = await memoryServer();
  const files = await localFiles({ large: 200_000 });
  server.cutBodyAfter = 100_000;
  let forgotten = 0;
  server.intercept = (_request, _response, line) => {
    if (line.startsWith("HEAD") && forgotten++ === 0) server.forgetUploads();
    return false;
  };
  await uploadBundle(clientOf(server), { files, owner: OWNER });
  expect(server.blobs.size).toBe(1);

  const other = await localFiles({ other: 200_000 });
  server.intercept = (_request, response, line) => {
    if (!line.startsWith("PATCH")) return false;
    sendProblem(response, 410, "upload-gone");
    return true;
  };
  await expect(uploadBundle(clientOf(server), { files: other, owner: OWNER })).rejects.toMatchObject({ fault: "gone" });
});

it.each(["inconsistent-upload-length", "completed-upload"])(
  "is done with a file that somebody else has completed meanwhile, as %s tells",
  async (problem) => {
    const server = await memoryServer();
    const [file] = await localFiles({ large: 200_000 });
    if (file === undefined) throw new Error("no file");
    server.intercept = (request, response, line) => {
      const type = `https://iana.org/assignments/http-problem-types#${problem}`;
      if (line.startsWith("PATCH")) {
        server.blobs.set(file.digest, file.bytes);
        request.resume();
        sendProblem(response, problem === "completed-upload" ? 410 : 400, type);
      } else if (line.startsWith("HEAD")) {
        response.writeHead(204, { "upload-offset": 200_000, "upload-complete": "?1" }).end();
      } else return false;
      return true;
    };
    const bundle = await uploadBundle(clientOf(server), { files: [file], owner: OWNER });
    expect(bundle.files).toMatchObject([{ digest: file.digest }]);
    expect([count(server, /^PATCH/), count(server, /^HEAD/)]).toEqual([1, 1]);
  },
);

it("goes on where the server says, if the two disagree", async () => {
  const server = await memoryServer();
  const files = await localFiles({ large: 200_000 });
  server.cutBodyAfter = 120_000;
  let lied = false;
  server.intercept = (_request, response, line) => {
    if (!line.startsWith("HEAD") || lied) return false;
    lied = true;
    response.writeHead(204, { "upload-offset": 50_000, "upload-complete": "?0" }).end();
    return true;
  };
  await uploadBundle(clientOf(server), { files, owner: OWNER });
  expect(server.blobs.get(files[0]?.digest ?? "")?.equals(files[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
});

it("cuts its requests to what a proxy in between lets through", async () => {
  const server = await memoryServer();
  const files = await localFiles({ large: 3_000_000, small: 9000 });
  let refused = 0;
  server.intercept = (request, response, line) => {
    const length = Number(request.headers["content-length"]);
    if (!/^(PATCH|PUT)/.test(line) || length <= 1_048_576) return false;
    refused++;
    request.resume();
    // nginx, which knows nothing of problem documents.
    response.writeHead(413, { "content-type": "text/html" }).end("<html>413</html>");
    return true;
  };
  await uploadBundle(clientOf(server), { files, owner: OWNER });
  expect(refused).toBeGreaterThan(0);
  expect(server.blobs.size).toBe(2);
});

it("gives up when a proxy lets nothing through", async () => {
  const server = await memoryServer();
  server.intercept = (request, response, line) => {
    if (!/^(PATCH|PUT)/.test(line)) return false;
    request.resume();
    response.writeHead(413).end();
    return true;
  };
  await expect(
    uploadBundle(clientOf(server), { files: await localFiles({ a: 5000 }), owner: OWNER }),
  ).rejects.toMatchObject({ fault: "too-large" });
});

it("repeats what failed for a moment, and only that", async () => {
  const server = await memoryServer();
  const failed = new Map<string, number>();
  server.intercept = (request, response, line) => {
    const times = failed.get(line) ?? 0;
    failed.set(line, times + 1);
    if (times >= 2) return false;
    request.resume();
    sendProblem(response, times === 0 ? 503 : 500, times === 0 ? "store-unavailable" : "internal");
    return true;
  };
  await uploadBundle(clientOf(server), { files: await localFiles({ a: 100, b: 20_000 }), owner: OWNER });
  expect(server.bundles).toHaveLength(1);

  server.intercept = (request, response, line) => {
    if (!line.startsWith("PUT")) return false;
    request.resume();
    sendProblem(response, 507, "quota-exceeded");
    return true;
  };
  const before = server.lines.length;
  await expect(
    uploadBundle(clientOf(server), { files: await localFiles({ c: 7 }), owner: OWNER }),
  ).rejects.toMatchObject({ fault: "quota" });
  expect(server.lines.slice(before).filter((line) => line.startsWith("PUT"))).toHaveLength(1);
});

it("takes a new lease when its old one has run out, and sends nothing again", async () => {
  const server = await memoryServer();
  const files = await localFiles({ a: 20_000, b: 30_000 });
  let expired = false;
  server.intercept = (_request, _response, line) => {
    if (line === "POST /api/v1/bundles" && !expired) {
      expired = true;
      server.expireLeases();
    }
    return false;
  };
  const bundle = await uploadBundle(clientOf(server), { files, owner: OWNER });
  expect(server.bundles).toHaveLength(1);
  expect(server.received).toBeLessThan(55_000);
  expect(bundle.progress).toMatchObject({ filesHashed: 2, bytesHashed: 50_000, filesSkipped: 2, filesSent: 0 });
});

it("tells of a file that changes while it is uploaded", async () => {
  const server = await memoryServer();
  const files = await localFiles({ a: 50_000 });
  server.intercept = (_request, _response, line) => {
    if (line.includes("blobs:missing")) void appendFile(files[0]?.path ?? "", "more");
    return false;
  };
  await expect(uploadBundle(clientOf(server), { files, owner: OWNER })).rejects.toMatchObject({
    fault: "file-changed",
    message: expect.stringContaining(files[0]?.path ?? "") as string,
  });
  expect(server.bundles).toEqual([]);
});

it("tells a damaged transfer, which it repeats, from a file that changed without a trace", async () => {
  const server = await memoryServer();
  const files = await localFiles({ a: 500 });
  let damaged = 0;
  server.intercept = (request, response, line) => {
    if (!line.startsWith("PUT") || damaged++ > 0) return false;
    request.resume();
    sendProblem(response, 400, "digest-mismatch");
    return true;
  };
  await uploadBundle(clientOf(server), { files, owner: OWNER });
  expect(server.blobs.size).toBe(1);
});

it.each([
  [{ a: "../a" }, "part"],
  [{ a: "x", b: "X" }, "meet under one name"],
  [{ a: "x", b: "x" }, "meet under one name"],
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

it("refuses files that cannot be read, before anything is sent", async () => {
  const server = await memoryServer();
  for (const path of ["/no/such/file", "/"]) {
    const files = [{ path, name: "a", kind: "file" }];
    await expect(uploadBundle(clientOf(server), { files, owner: OWNER })).rejects.toMatchObject({
      fault: "file",
      code: "FILE_UNREADABLE",
    });
  }
  const owner = { ...OWNER, ownerLabels: {} };
  await expect(uploadBundle(clientOf(server), { files: [], owner })).rejects.toMatchObject({
    code: "ARGUMENT_INVALID",
  });
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
    // Held until as many are there as ever come, so that they have to meet.
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

it("sends a file that was replaced by another of the same name as what it is now", async () => {
  const server = await memoryServer();
  const [a, b] = await localFiles({ a: 20_000, b: 20_000 });
  server.intercept = (_request, _response, line) => {
    if (line.includes("blobs:missing")) renameSync(b?.path ?? "", a?.path ?? "");
    return false;
  };
  await expect(
    uploadBundle(clientOf(server), { files: [a].filter((file) => file !== undefined), owner: OWNER }),
  ).rejects.toMatchObject({ fault: "file-changed" });
});
