import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { BundleConfig } from "../../src/config/index.ts";
import { pod, type Pod } from "../support/localizer-process.ts";
import { tarBytes } from "../support/tar-bytes.ts";
import { webServer } from "../support/web-server.ts";

// The fork's secrets: an id, a dash, and 1024 random bytes in base 64 (StagedResourcesStoreImpl).
const SECRET = `5f2a-${randomBytes(1024).toString("base64")}`;
const BUNDLE = gzipSync(
  tarBytes([
    { name: "a.jar", content: randomBytes(100_000) },
    { name: "b.jar", content: "b" },
  ]),
);

/** Answers as the fork's server does: in chunks, without a length, a digest or ranges. */
function answerAsFork(request: IncomingMessage, response: ServerResponse, bytes: Buffer = BUNDLE): void {
  if (request.url !== "/api/v0/resources/5f2a") response.writeHead(404).end();
  else if (request.headers.authorization !== SECRET) response.writeHead(401).end();
  else {
    response.writeHead(200, { "content-type": "application/octet-stream" });
    response.write(bytes.subarray(0, 1000));
    response.end(bytes.subarray(1000));
  }
}

function bundleAt(server: string, { folder }: Pod): Record<string, BundleConfig> {
  return { jars: { server, id: "5f2a", secretFile: folder.write("secret", SECRET), protocol: "v0" } };
}

test("a bundle is fetched from a server of the old fork", async () => {
  const setting = pod();
  const fork = await webServer((request, response) => answerAsFork(request, response));
  const files = [{ from: { bundle: "jars" }, to: setting.volume }];
  const { code, stderr } = await setting.run({ bundles: bundleAt(fork.uri, setting), files });
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(/^done .*, 2 entries unpacked$/m);
  expect(Object.keys(setting.tree())).toEqual(["a.jar", "b.jar"]);
  expect(stderr).not.toContain(SECRET);
});

test("one that breaks off is fetched anew, from its start", async () => {
  const setting = pod();
  const fork = await webServer((request, response) => {
    if (fork.requests.length > 1) return answerAsFork(request, response);
    response.write(BUNDLE.subarray(0, 50_000), () => response.destroy());
    return undefined;
  });
  const files = [{ from: { bundle: "jars" }, to: setting.volume }];
  const { code, stderr } = await setting.run({ bundles: bundleAt(fork.uri, setting), files });
  expect(code, stderr).toBe(0);
  expect(fork.requests[1]?.headers).not.toHaveProperty("range");
  expect(Object.keys(setting.tree())).toEqual(["a.jar", "b.jar"]);
});

test.each<[string, Buffer, string]>([
  ["cut on the server's disk", BUNDLE.subarray(0, -50), "its gzip data is damaged"],
  ["with a path that leads out", gzipSync(tarBytes([{ name: "a" }, { name: "../x" }])), "it is in a directory"],
  ["with a link", gzipSync(tarBytes([{ name: "a" }, { name: "b", type: "2", link: "/etc" }])), "a symbolic link"],
  ["a bomb", gzipSync(tarBytes([{ name: "a", content: Buffer.alloc(50_000_000) }])), "limits.maxRatio"],
])("one that is %s is refused whole", async (_, bytes, problem) => {
  const setting = pod();
  const fork = await webServer((request, response) => answerAsFork(request, response, bytes));
  const files = [{ from: { bundle: "jars" }, to: setting.volume }];
  const { code, failure } = await setting.run({ bundles: bundleAt(fork.uri, setting), files });
  expect(code).toBe(8);
  expect(failure.message).toContain(problem);
  expect(Object.keys(setting.tree())).toEqual([]);
});
