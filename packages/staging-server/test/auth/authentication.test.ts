import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { request } from "node:https";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { eventually } from "@kindling/test-kit/eventually";
import { testAuthority, type Certificate } from "@kindling/test-kit/certificates";
import { jsonCall, testServer, type TestServer } from "../support/test-server.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

async function leaseStatus(
  server: TestServer,
  namespace: string,
  headers: Record<string, string> = {},
): Promise<number> {
  return (await server.call("api/v1/leases", jsonCall({ namespace }, headers))).status;
}

async function accessFile(subjects: readonly object[]): Promise<string> {
  const path = join(scratchFolder().path, "access.json");
  await writeFile(path, JSON.stringify({ subjects }));
  return path;
}

const CI = { name: "ci", tokenSha256: sha256("token-of-ci"), namespaces: ["team-*", "shared"] };
const ROOT = { name: "root", tokenSha256: sha256("token-of-root"), namespaces: ["*"], admin: true };

it("lets holders of a token do what the access file says", async () => {
  const server = await testServer({ "auth.mode": "token", "auth.accessFile": await accessFile([CI, ROOT]) });
  expect(await leaseStatus(server, "team-a")).toBe(401);
  expect(await leaseStatus(server, "team-a", bearer("wrong"))).toBe(401);
  expect(await leaseStatus(server, "team-a", { authorization: "token-of-ci" })).toBe(401);
  expect(await leaseStatus(server, "team-a", bearer("token-of-ci"))).toBe(201);
  expect(await leaseStatus(server, "shared", bearer("token-of-ci"))).toBe(201);
  expect(await leaseStatus(server, "default", bearer("token-of-ci"))).toBe(403);
  expect(await leaseStatus(server, "xteam-a", bearer("token-of-ci"))).toBe(403);

  const gc = (token: string) => server.call("api/v1/gc", jsonCall({ dryRun: true }, bearer(token)));
  expect((await gc("token-of-ci")).status).toBe(403);
  expect((await gc("token-of-root")).status).toBe(200);
  const access = await server.call("api/v1/access", jsonCall({ namespace: "default" }, bearer("token-of-ci")));
  expect(access.json).toMatchObject({ subject: "ci", allowed: false });
  expect((await server.call("api/v1/capabilities")).json).toMatchObject({ authentication: "token" });
});

it("asks for credentials wherever something can be changed or seen", async () => {
  const server = await testServer({ "auth.mode": "token", "auth.accessFile": await accessFile([CI]) });
  const id = "11111111-1111-4111-8111-111111111111";
  const digest = `sha256:${"a".repeat(64)}`;
  const calls: [string, string, string?][] = [
    ["POST", "leases", '{"namespace":"team-a"}'],
    ["DELETE", `leases/${id}`],
    ["POST", "blobs:missing", `{"lease":"${id}","digests":[]}`],
    ["PUT", `blobs/${digest}?lease=${id}`],
    ["POST", `uploads?lease=${id}`],
    ["HEAD", `uploads/${id}`],
    ["PATCH", `uploads/${id}`],
    ["DELETE", `uploads/${id}`],
    [
      "POST",
      "bundles",
      `{"lease":"${id}","owner":{"ownerNamespace":"a","ownerLabels":{},"ownerType":"Pod"},"files":[]}`,
    ],
    ["GET", "bundles"],
    ["GET", `bundles/${id}`],
    ["GET", `bundles/${id}/status`],
    ["GET", `bundles/${id}/files/a`],
    ["GET", `bundles/${id}/archive.tar`],
    ["PATCH", `bundles/${id}/owner`, '{"uid":"x"}'],
    ["DELETE", `bundles/${id}`],
    ["GET", "stat"],
    ["POST", "gc", "{}"],
    ["POST", "access", '{"namespace":"team-a"}'],
  ];
  for (const [method, path, body] of calls) {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const answer = await server.call(`api/v1/${path}`, { method, headers, ...(body !== undefined && { body }) });
    expect([method, path, answer.status]).toEqual([method, path, 401]);
  }
  const upload = await server.call("api/v0/resources/", { method: "POST", body: "x" });
  expect(upload.status).toBe(401);
});

it("reads the access file again when it changes, and keeps what it has if it is broken", async () => {
  const path = await accessFile([CI]);
  const server = await testServer({ "auth.mode": "token", "auth.accessFile": path, "tls.reloadInterval": 0.05 });
  await writeFile(path, "{");
  await eventually(() => expect(server.logLines.join("")).toContain("changed files cannot be used"));
  expect(await leaseStatus(server, "team-a", bearer("token-of-ci"))).toBe(201);
  await writeFile(path, JSON.stringify({ subjects: [ROOT] }));
  await eventually(async () => expect(await leaseStatus(server, "team-a", bearer("token-of-ci"))).toBe(401));
  expect(await leaseStatus(server, "team-a", bearer("token-of-root"))).toBe(201);
});

it.each([
  ["{", /is no JSON/],
  ['{"subjects": {}}', /no list of subjects/],
  ['{"subjects": [{"name": "ci", "namespaces": ["a"]}]}', /subject ci has neither/],
  [
    '{"subjects": [{"name": "ci", "tokenSha256": "token-in-clear", "namespaces": ["a"]}]}',
    /subject ci: tokenSha256 is not/,
  ],
  ['{"subjects": [{"tokenSha256": "x"}]}', /subject 1 has no name/],
])("does not start with the access file %s", async (text, why) => {
  const path = join(scratchFolder().path, "access.json");
  await writeFile(path, text);
  const starting = testServer({ "auth.mode": "token", "auth.accessFile": path });
  await expect(starting).rejects.toThrow(why);
  await expect(starting).rejects.not.toThrow(/token-in-clear/);
});

it("knows submitters by their client certificates, and pods by their secrets alone", async () => {
  const [servers, clients, strangers] = [
    testAuthority("servers"),
    testAuthority("clients"),
    testAuthority("strangers"),
  ];
  const folder = scratchFolder().path;
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const { cert, key } = servers.issue("staging");
  const server = await testServer({
    "auth.mode": "mtls",
    "auth.accessFile": await accessFile([{ name: "ci", certificate: "ci-runner", namespaces: ["team-a"] }]),
    "tls.certFile": await write("cert.pem", cert),
    "tls.keyFile": await write("key.pem", key),
    "tls.clientCaFile": await write("ca.pem", clients.cert),
  });
  const lease = (namespace: string, own?: Certificate): Promise<number> =>
    new Promise((resolve, reject) => {
      const options = {
        method: "POST",
        headers: { "content-type": "application/json" },
        ca: servers.cert,
        agent: false,
        ...own,
      } as const;
      const call = request(new URL("api/v1/leases", server.uri), options, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      call.on("error", reject);
      call.end(JSON.stringify({ namespace }));
    });
  expect(await lease("team-a", clients.issue("ci-runner"))).toBe(201);
  expect(await lease("team-b", clients.issue("ci-runner"))).toBe(403);
  expect(await lease("team-a", clients.issue("somebody"))).toBe(401);
  expect(await lease("team-a", strangers.issue("ci-runner"))).toBe(401);
  expect(await lease("team-a", clients.issue("ci-runner", { expired: true }))).toBe(401);
  expect(await lease("team-a")).toBe(401);
});
