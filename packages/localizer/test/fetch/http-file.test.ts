import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { digestOf } from "@kindling/staging-client";
import { pod } from "../support/localizer-process.ts";
import { tarBytes } from "../support/tar-bytes.ts";
import { sendFile, webServer } from "../support/web-server.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

test("a remote file is brought to its place, with its digest and without", async () => {
  const { run, volume, tree } = pod();
  const server = await webServer((_, response) => response.end("hello"));
  const files = [
    {
      from: { uri: `${server.uri}/a%20b?version=1` },
      to: `${volume}/with`,
      digest: digestOf("hello"),
      size: 5,
      mode: 0o755,
    },
    { from: { uri: `${server.uri}/c` }, to: `${volume}/without` },
  ];
  expect(await run({ files })).toMatchObject({ code: 0, terminationLog: "" });
  expect(new Set(server.requests.map(({ url }) => url))).toEqual(new Set(["/a%20b?version=1", "/c"]));
  expect(tree()).toEqual({ with: "755 hello", without: "644 hello" });
});

test.each<[number, number, string]>([
  [401, 4, "refused"],
  [403, 4, "refused"],
  [404, 3, "not-found"],
  [410, 3, "not-found"],
  [422, 11, "protocol"],
])("status %i ends the run at once with exit code %i", async (status, exitCode, reason) => {
  const { run, volume, tree } = pod();
  const server = await webServer((_, response) => response.writeHead(status).end("no"));
  const { code, failure } = await run({
    files: [{ from: { uri: `${server.uri}/a?sig=topsecret` }, to: `${volume}/a` }],
  });
  expect(code).toBe(exitCode);
  expect(failure).toMatchObject({ reason, file: `${server.uri}/a?*** to ${volume}/a` });
  expect(failure.message).toContain(`HTTP status ${status}`);
  expect(server.requests).toHaveLength(1);
  expect(tree()).not.toHaveProperty("a");
});

test.each<[string, Handler]>([
  ["status 500", (_, response) => response.writeHead(500).end()],
  ["status 429", (_, response) => response.writeHead(429, { "retry-after": "0" }).end()],
  ["status 408", (_, response) => response.writeHead(408).end()],
  ["status 503", (_, response) => response.writeHead(503).end()],
  ["a reset", (_, response) => response.destroy()],
  ["a body that breaks", (request, response) => sendFile(request, response, { bytes: Buffer.alloc(99), cutAfter: 9 })],
])("%s is tried again", async (_, fail) => {
  const { run, volume, tree } = pod();
  let failures = 1;
  const server = await webServer((request, response) =>
    failures-- > 0 ? fail(request, response) : void response.end("hello"),
  );
  const { code, stderr } = await run({ files: [{ from: { uri: `${server.uri}/a` }, to: `${volume}/a` }] });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^wait .*\/a: http:\/\/127\.0\.0\.1.*; again in \d/m);
  expect(tree()).toEqual({ a: "644 hello" });
});

test("a body that stops is gone on with after the stall time", async () => {
  const { run, volume, tree } = pod();
  const bytes = randomBytes(200_000);
  const server = await webServer((request, response) =>
    sendFile(request, response, { bytes, etag: '"1"', ...(server.requests.length === 1 && { stallAfter: 70_000 }) }),
  );
  const files = [{ from: { uri: `${server.uri}/a` }, to: `${volume}/a` }];
  expect((await run({ files, stallSeconds: 1 })).code).toBe(0);
  expect(server.requests[1]?.headers.range).toBe("bytes=70000-");
  expect(tree()).toEqual({ a: `644 ${bytes.toString("latin1")}` });
});

test.each([
  ["with a digest", true],
  ["without one", false],
])("a process that is killed is gone on with by the next one, %s", async (_, known) => {
  const { start, run, volume, tree } = pod();
  const bytes = randomBytes(400_000);
  let whole = false;
  const server = await webServer((request, response) =>
    sendFile(request, response, { bytes, etag: '"1"', ...(!whole && { stallAfter: 150_000 }) }),
  );
  const files = [{ from: { uri: `${server.uri}/a` }, to: `${volume}/a`, ...(known && { digest: digestOf(bytes) }) }];
  const first = start({ files });
  while (!existsSync(`${volume}/a.part`) || statSync(`${volume}/a.part`).size < 150_000) await wait(5);
  first.child.kill("SIGKILL");
  await first.ended;
  whole = true;
  expect((await run({ files })).code).toBe(0);
  expect(server.requests[1]?.headers.range).toBe("bytes=150000-");
  expect(tree()).toEqual({ a: `644 ${bytes.toString("latin1")}` });
});

test("several files are fetched at once, and no more than are allowed", async () => {
  const { run, volume } = pod();
  let open = 0;
  let most = 0;
  const server = await webServer((_, response) => {
    most = Math.max(most, ++open);
    setTimeout(() => response.end("x", () => open--), 50);
  });
  const files = Array.from({ length: 9 }, (_, index) => ({
    from: { uri: `${server.uri}/${index}` },
    to: `${volume}/${index}`,
  }));
  expect((await run({ files, parallel: 3 })).code).toBe(0);
  expect(most).toBe(3);
});

test("a server that is not there is an error after some attempts", { timeout: 60_000 }, async () => {
  const { run, volume } = pod();
  // The port of a server that has stopped may soon be another one's. Nobody gets this one.
  const uri = "http://127.0.0.1:1";
  // By default, retries go on for half a minute; the deadline is sooner.
  const { code, failure } = await run({
    deadlineSeconds: 2,
    files: [{ from: { uri: `${uri}/a` }, to: `${volume}/a` }],
  });
  expect(code).toBe(12);
  expect(failure).toMatchObject({
    reason: "deadline",
    message: expect.stringMatching(/^not done within 2 s; the last problem: .*connection refused/) as string,
    file: `${uri}/a to ${volume}/a`,
  });
});

test("a port that speaks no TLS is an error that says so", async () => {
  const server = await webServer((_, response) => response.end("x"));
  const { run, volume } = pod();
  const files = [{ from: { uri: `${server.uri.replace("http:", "https:")}/a` }, to: `${volume}/a` }];
  const { code, failure } = await run({ files });
  expect(code).toBe(9);
  expect(failure.hint).toBe("write http:// if it is meant to be without TLS");
});

test("a server that answers with something that is no HTTP is not waited for without end", async () => {
  const server = createServer((socket) => void socket.end("220 mail.example ESMTP\r\n")).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { run, volume } = pod();
  const { port } = server.address() as AddressInfo;
  const files = [{ from: { uri: `http://127.0.0.1:${port}/a` }, to: `${volume}/a` }];
  const { code, failure } = await run({ deadlineSeconds: 1, files });
  expect(code).toBe(12);
  expect(failure.message).toContain("does not speak HTTP");
});

test.each<[string, number | undefined, Handler]>([
  ["a body that is longer than announced", 3, (_, response) => response.end("hello")],
  ["a body that is shorter than announced", 9, (_, response) => response.end("hello")],
])("%s is an error, and the file does not appear", async (_, size, answer) => {
  const server = await webServer(answer);
  const { run, volume, tree } = pod();
  const { code, failure } = await run({
    deadlineSeconds: 3,
    files: [{ from: { uri: `${server.uri}/a` }, to: `${volume}/a`, ...(size !== undefined && { size }) }],
  });
  expect(code).toBe(5);
  expect(failure.reason).toBe("digest");
  expect(tree()).not.toHaveProperty("a");
});

test("an archive is unpacked, once", async () => {
  const { run, volume, tree } = pod();

  const archive = tarBytes([
    { name: "bin/python", type: "2", link: "python3" },
    { name: "bin/python3", mode: 0o755, content: "#!" },
  ]);
  const server = await webServer((_, response) => response.end(archive));
  const files = [
    { from: { uri: `${server.uri}/env.tgz` }, to: `${volume}/env`, digest: digestOf(archive), unpack: true },
  ];
  const { stderr } = await run({ files });
  expect(stderr).toMatch(/^done .*\/env: 2\.\d kB in \d\.\d\d s, 2 entries unpacked$/m);
  const first = tree();
  expect(first).toMatchObject({ "env/bin/python": "-> python3", "env/bin/python3": "755 #!" });
  expect(Object.keys(first).filter((name) => !name.startsWith("env/"))).toEqual([]);
  expect((await run({ files })).stderr).toMatch(/^skip .*\/env: already there$/m);
  expect(server.requests).toHaveLength(1);
  expect(tree()).toEqual(first);
});

test("an archive that must not be unpacked is refused, and named", async () => {
  const { run, volume, tree } = pod();

  const server = await webServer((_, response) => response.end(tarBytes([{ name: "../x" }])));
  const files = [{ from: { uri: `${server.uri}/env.tgz` }, to: `${volume}/env`, unpack: true }];
  const { code, failure } = await run({ files });
  expect(code).toBe(8);
  expect(failure.message).toContain('it has an entry "../x", which leads out of the archive');
  expect(Object.keys(tree())).toEqual([]);
});
