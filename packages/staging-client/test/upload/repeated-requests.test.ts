import { expect, it } from "vitest";
import { uploadBundle } from "../../src/index.ts";
import { localFiles } from "../support/files.ts";
import { memoryServer } from "../support/memory-server.ts";
import { sendProblem } from "../support/stub-server.ts";
import { clientOf, OWNER } from "../support/uploads.ts";

it("cuts its requests to what a proxy in between lets through", async () => {
  const server = await memoryServer();
  const files = await localFiles({ large: 3_000_000, small: 9000 });
  let refused = 0;
  server.intercept = (request, response, line) => {
    const length = Number(request.headers["content-length"]);
    if (!/^(PATCH|PUT)/.test(line) || length <= 1_048_576) return false;
    refused++;
    request.resume();
    // The answer of nginx, which sends no problem documents.
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
