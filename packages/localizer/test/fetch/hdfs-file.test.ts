import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { digestOf } from "@kindling/staging-client";
import { hasHdfs, startHdfs } from "@kindling/test-kit/one-node-hdfs";
import { START_LIMIT_MS, type RealServer } from "@kindling/test-kit/real-server";
import { NS1_TOKEN, TOKEN_FILE } from "@kindling/test-kit/hadoop-token-file";
import { pod } from "../support/localizer-process.ts";
import { sendFile, webServer, type WebServer } from "../support/web-server.ts";

/** A data node, which may interrupt its first answer, and a name node that redirects to it. */
async function hdfs(
  bytes: Buffer,
  first?: { cutAfter: number; cutOnceIn: string },
): Promise<{ name: WebServer; data: WebServer }> {
  const data = await webServer((request, response) => {
    const body = bytes.subarray(Number(query(request.url).get("offset")));
    sendFile(request, response, { bytes: body, ...(data.requests.length === 1 && first) });
  });
  const name = await webServer((request, response) => {
    if (query(request.url).get("op") === "GETFILESTATUS") {
      const FileStatus = { length: bytes.length, modificationTime: 1, type: "FILE" };
      response.end(JSON.stringify({ FileStatus }));
    } else response.writeHead(307, { location: `${data.uri}${request.url ?? ""}` }).end();
  });
  return { name, data };
}

function query(url: string | undefined): URLSearchParams {
  return new URL(url ?? "/", "http://x").searchParams;
}

function refuse(response: ServerResponse, status: number, exception: string, message = "words\n\tat Some.java"): void {
  response.writeHead(status).end(JSON.stringify({ RemoteException: { exception, message } }));
}

test("a file is brought, and gone on with where a data node broke off", async () => {
  const { run, volume, tree } = pod();
  const bytes = randomBytes(200_000);
  const { name, data } = await hdfs(bytes, { cutAfter: 80_000, cutOnceIn: `${volume}/a.jar.part` });
  const { code, stderr } = await run(
    {
      webhdfs: { "nn:8020": name.uri },
      files: [{ from: { uri: "hdfs://nn:8020/lib/a%20b.jar" }, to: `${volume}/a.jar`, digest: digestOf(bytes) }],
    },
    { env: { HADOOP_USER_NAME: "alice" } },
  );
  expect(code, stderr).toBe(0);
  expect(name.requests[0]?.url).toBe("/webhdfs/v1/lib/a%20b.jar?op=GETFILESTATUS&user.name=alice");
  expect(data.requests.map(({ url }) => query(url).get("offset"))).toEqual(["0", "80000"]);
  expect(tree()).toEqual({ "a.jar": `644 ${bytes.toString("latin1")}` });
});

test("an empty file is one", async () => {
  const { run, volume, tree } = pod();
  const { name } = await hdfs(Buffer.alloc(0));
  const uri = name.uri.replace("http:", "webhdfs:");
  expect((await run({ files: [{ from: { uri: `${uri}/empty` }, to: `${volume}/empty` }] })).code).toBe(0);
  expect(tree()).toEqual({ empty: "644 " });
});

test("with high availability, the active name node is found, and the token of the file system shown to it", async () => {
  const { run, volume, folder, tree } = pod();
  const { name } = await hdfs(Buffer.from("x"));
  const standby = await webServer((_, response) => refuse(response, 403, "StandbyException"));
  folder.write("credentials/hadoop-tokens", TOKEN_FILE);
  const { code, stderr } = await run({
    webhdfs: { ns1: [standby.uri, name.uri] },
    credentialsDir: folder.at("credentials"),
    files: [{ from: { uri: "hdfs://ns1/x" }, to: `${volume}/x` }],
  });
  expect(code, stderr).toBe(0);
  expect(query(name.requests[0]?.url).get("delegation")).toBe(NS1_TOKEN);
  expect(stderr).not.toContain(NS1_TOKEN);
  expect(tree()).toEqual({ x: "644 x" });
});

test.each<[string, number, string, number]>([
  ["a file that is not there", 404, "FileNotFoundException", 3],
  ["a file that one may not read", 403, "AccessControlException", 4],
  ["a token that has expired", 403, "InvalidToken", 4],
  ["a user who is not known", 401, "SecurityException", 4],
])("%s ends the run at once", async (_, status, exception, exitCode) => {
  const { run, volume } = pod();
  const name = await webServer((_request, response) => refuse(response, status, exception));
  const uri = `${name.uri.replace("http:", "webhdfs:")}/x`;
  const { code, failure } = await run({ files: [{ from: { uri }, to: `${volume}/x` }] });
  expect(code).toBe(exitCode);
  expect(failure.message).toContain(`words (${exception}, HTTP ${status})`);
  expect(failure.message).not.toContain("Some.java");
  expect(name.requests).toHaveLength(1);
});

test("a directory is an error that says so", async () => {
  const { run, volume } = pod();
  const name = await webServer((_, response) =>
    response.end('{"FileStatus":{"length":0,"modificationTime":1,"type":"DIRECTORY"}}'),
  );
  const uri = `${name.uri.replace("http:", "webhdfs:")}/x`;
  const { code, failure } = await run({ files: [{ from: { uri }, to: `${volume}/x` }] });
  expect(code).toBe(11);
  expect(failure.message).toContain("is a directory");
});

test.each([
  ["the metadata service", "http://169.254.169.254/webhdfs/v1/x?op=OPEN"],
  ["a file", "file:///etc/passwd"],
  ["nowhere", "/"],
])("a name node that sends to %s is not followed", async (_, location) => {
  const { run, volume } = pod();
  const name = await webServer((request, response) => {
    if (query(request.url).get("op") === "OPEN") response.writeHead(307, { location }).end();
    else response.end('{"FileStatus":{"length":3,"modificationTime":1,"type":"FILE"}}');
  });
  const uri = `${name.uri.replace("http:", "webhdfs:")}/x`;
  const { code, failure } = await run({ files: [{ from: { uri }, to: `${volume}/x` }] });
  expect(code).toBe(10);
  expect(failure.reason).toBe("redirect");
});

test("a service that is no WebHDFS is an error that says so", async () => {
  const { run, volume } = pod();
  const web = await webServer((_, response) => response.end("<html>"));
  const uri = `${web.uri.replace("http:", "webhdfs:")}/x`;
  const { code, failure } = await run({ files: [{ from: { uri }, to: `${volume}/x` }] });
  expect(code).toBe(11);
  expect(failure.hint).toContain("WebHDFS or HttpFS");
});

/** This does not use `fetch`, which fails on the unexpected status 100 of a data node. */
async function put(url: string, bytes: Buffer): Promise<number | undefined> {
  const outgoing = request(url, { method: "PUT" }).end(bytes);
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe.skipIf(!hasHdfs)("a real HDFS (see the test kit's servers)", () => {
  const folder = mkdtempSync(join(tmpdir(), "hdfs-"));
  let server: RealServer | undefined;
  beforeAll(async () => {
    server = await startHdfs(folder);
  }, START_LIMIT_MS);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("gives a file, whatever characters are in its name", async () => {
    const { run, volume, tree } = pod();
    const { endpoint = "" } = server ?? {};
    const bytes = randomBytes(3_000_000);
    const path = `${endpoint}/webhdfs/v1/lib/${encodeURIComponent("a b+ü.jar")}`;
    const create = async (): Promise<number | undefined> => {
      const options = "op=CREATE&noredirect=true&user.name=alice&overwrite=true";
      const answer = (await (await fetch(`${path}?${options}`, { method: "PUT" })).json()) as { Location?: string };
      return answer.Location === undefined ? 503 : await put(answer.Location, bytes);
    };
    expect(await create()).toBe(201);
    const files = [{ from: { uri: "hdfs://nn:8020/lib/a b+ü.jar" }, to: `${volume}/x`, digest: digestOf(bytes) }];
    const { code, stderr } = await run({ webhdfs: { "nn:8020": endpoint }, files });
    expect(code, stderr).toBe(0);
    expect(tree()).toEqual({ x: `644 ${bytes.toString("latin1")}` });
    const missing = [{ from: { uri: "hdfs://nn:8020/none" }, to: `${volume}/y` }];
    const { failure } = await run({ webhdfs: { "nn:8020": endpoint }, files: missing });
    expect(failure).toMatchObject({ reason: "not-found", message: expect.stringContaining("(FileNotFound") as string });
  });
});
