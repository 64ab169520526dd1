import { expect, it } from "vitest";
import { eventually } from "@kindling/test-kit/eventually";
import { dial, head } from "@kindling/test-kit/hostile-socket";
import { httpCall } from "../support/http-call.ts";
import { serverProcess } from "../support/server-process.ts";
import { tenant, tenantSettings } from "../support/tenants.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const MIB = 1024 * 1024;

it("sends strangers away before it reads what they send", async () => {
  const server = await serverProcess(await tenantSettings());
  const before = server.peakMemory();
  // A whole document except its last byte, which never comes.
  const documents = Array.from({ length: 60 }, () => {
    const hostile = dial(server.uri);
    hostile.send(head("POST", "/api/v1/bundles", { ...JSON_TYPE, "Content-Length": 4 * MIB }));
    hostile.send(Buffer.alloc(4 * MIB - 1, 0x20));
    return hostile;
  });
  for (const { status } of documents) expect([401, undefined]).toContain(await status);
  const answered = (await Promise.all(documents.map(({ status }) => status))).filter((status) => status === 401);
  expect(answered.length).toBeGreaterThan(0);
  await Promise.all(documents.map(({ text }) => text));
  expect(server.peakMemory() - before).toBeLessThan(100);
}, 60_000);

it.each([
  ["a wrong token", "POST", "/api/v1/leases", { Authorization: "Bearer wrong" }, 401],
  ["a wrong secret", "PATCH", "/api/v1/bundles/11111111-1111-4111-8111-111111111111/owner", {}, 401],
  ["an upload without credentials", "PUT", `/api/v1/blobs/sha256:${"a".repeat(64)}?lease=x`, {}, 401],
  ["an upload of the old wire", "POST", "/api/v0/resources/", {}, 401],
  ["a path that is not served", "POST", "/api/v1/nothing", {}, 404],
  ["a method that is not served", "PUT", "/api/v1/leases", {}, 404],
])("answers %s without waiting for the body", async (_what, method, path, fields, status) => {
  const server = await serverProcess(await tenantSettings());
  const withheld = dial(server.uri);
  withheld.send(head(method, path, { ...JSON_TYPE, ...fields, "Content-Length": 1000 }), "{");
  expect(await withheld.status).toBe(status);
  // The server does not ask a client for the body either, if the client waits for that.
  const asking = dial(server.uri);
  asking.send(head(method, path, { ...JSON_TYPE, ...fields, "Content-Length": 1000, Expect: "100-continue" }));
  expect(await asking.status).toBe(status);
});

it("takes no body where none belongs, and does not wait for its end", async () => {
  const server = await serverProcess(await tenantSettings());
  const { authorization } = tenant(server, "good").headers;
  const calls = [
    ["GET", "/api/v1/bundles"],
    ["GET", "/api/v1/capabilities"],
    ["DELETE", "/api/v1/leases/x"],
    ["HEAD", "/api/v1/uploads/x"],
    ["POST", "/api/v1/uploads?lease=x"],
  ] as const;
  const answers = calls.map(async ([method, path]) => {
    const hostile = dial(server.uri);
    hostile.send(head(method, path, { Authorization: authorization, "Content-Length": 1000 }), "x");
    const status = await hostile.status;
    // The connection is closed, too.
    await hostile.text;
    return [method, path, status];
  });
  expect(await Promise.all(answers)).toEqual(calls.map((call) => [...call, 400]));
});

it("reads documents no slower than uploads, and no larger than their route needs", async () => {
  const settings = { "limits.minRate": 10_000, "limits.minRateWindow": 0.6 };
  const server = await serverProcess({ ...(await tenantSettings()), ...settings });
  const good = tenant(server, "good");
  const dripping = dial(server.uri);
  const fields = { ...JSON_TYPE, Authorization: good.headers.authorization };
  dripping.send(head("POST", "/api/v1/leases", { ...fields, "Content-Length": 4000 }));
  const drip = setInterval(() => dripping.send(" "), 50);
  expect(await dripping.status).toBe(408);
  clearInterval(drip);

  const large = await good.call("POST", "leases", { namespace: "good", padding: "x".repeat(10_000) });
  expect(large.status).toBe(413);
  const chunked = dial(server.uri);
  chunked.send(head("POST", "/api/v1/leases", { ...fields, "Transfer-Encoding": "chunked" }));
  chunked.send(`4000\r\n${"x".repeat(0x4000)}\r\n`);
  expect(await chunked.status).toBe(413);
});

it("makes no values of a document that has more than its route can need", async () => {
  const server = await serverProcess(await tenantSettings());
  const { headers } = tenant(server, "good");
  const before = server.peakMemory();
  for (const nested of ["[],", '"",', "{},"]) {
    const body = `{"lease":"x","owner":{},"files":[${nested.repeat(1_000_000)}1]}`;
    const answer = await httpCall(new URL("api/v1/bundles", server.uri).href, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    expect(answer.status).toBe(413);
  }
  expect(server.peakMemory() - before).toBeLessThan(100);
}, 60_000);

it("sets memory aside for documents, and leaves some for others", async () => {
  const settings = { "limits.documentMemory": 40 * MIB, "limits.minRateWindow": 600 };
  const server = await serverProcess({ ...(await tenantSettings()), ...settings });
  const [good, evil] = [tenant(server, "good"), tenant(server, "evil")];
  const fields = { ...JSON_TYPE, Authorization: evil.headers.authorization, "Content-Length": 4 * MIB };
  const held = Array.from({ length: 12 }, () => {
    const hostile = dial(server.uri);
    hostile.send(head("POST", "/api/v1/bundles", fields), Buffer.alloc(4 * MIB - 1, 0x20));
    return hostile;
  });
  // A document counts four times its length: one fits into the half that a client may have, and the others are refused.
  const answers: (number | undefined)[] = [];
  for (const { status } of held) void status.then((code) => answers.push(code));
  await eventually(() => expect(answers).toHaveLength(11));
  expect(answers).toContain(503);
  await eventually(async () => {
    const metrics = (await httpCall(`${server.adminUri}metrics`)).body.toString();
    expect(metrics).toMatch(new RegExp(`^staging_document_bytes ${16 * MIB}$`, "m"));
  });
  expect((await good.commit(await good.openLease(), [])).status).toBe(201);
  for (const hostile of held) hostile.close();
  await eventually(async () => {
    expect((await httpCall(`${server.adminUri}metrics`)).body.toString()).toMatch(/^staging_document_bytes 0$/m);
  });
}, 60_000);
