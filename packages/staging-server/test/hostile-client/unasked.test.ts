import { expect, it } from "vitest";
import { eventually } from "@kindling/test-kit/eventually";
import { dial, head, type HostileSocket } from "@kindling/test-kit/hostile-socket";
import { httpCall } from "../support/http-call.ts";
import { serverProcess } from "../support/server-process.ts";
import { tenant, tenantSettings } from "../support/tenants.ts";

const CHUNKED = { "Transfer-Encoding": "chunked" };

/** Sends a body for as long as the peer reads it. */
function sendForEver(hostile: HostileSocket): void {
  const { socket } = hostile;
  const chunk = Buffer.from(`10000\r\n${"x".repeat(0x10000)}\r\n`);
  const send = (): void => {
    while (hostile.isOpen() && socket.writable && socket.write(chunk));
  };
  socket.on("drain", send);
  send();
}

it.each([
  ["an expectation that nobody knows", "/api/v1/capabilities", { Expect: "a-miracle" }],
  ["a path that is malformed", "/%zz", {}],
  ["a path that is no text", "/api/v1/bundles/%ff%fe", {}],
  ["a path that is too long", `/api/v1/leases/${"a".repeat(3000)}`, {}],
  ["a path that is not served", "/nothing", {}],
])("reads no endless body behind %s", async (_what, path, fields) => {
  const server = await serverProcess(await tenantSettings());
  for (const method of ["POST", "DELETE"]) {
    const hostile = dial(server.uri);
    hostile.send(head(method, path, { ...CHUNKED, ...fields }));
    sendForEver(hostile);
    await hostile.text;
  }
  expect((await tenant(server, "good").call("GET", "bundles")).status).toBe(200);
});

it("reads no endless body at the port of health checks", async () => {
  const server = await serverProcess(await tenantSettings());
  for (const path of ["/healthz", "/nothing"]) {
    const hostile = dial(server.adminUri);
    hostile.send(head("POST", path, { ...CHUNKED, Expect: "a-miracle" }));
    sendForEver(hostile);
    await hostile.text;
  }
  expect((await httpCall(`${server.adminUri}healthz`)).status).toBe(200);
});

it("lets whoever sends the rest of a short body a little late read the answer, and go on", async () => {
  const server = await serverProcess(await tenantSettings());
  const late = dial(server.adminUri);
  late.send(head("POST", "/healthz", { "Content-Length": 2 }));
  expect(await late.status).toBe(200);
  late.send("{}", head("GET", "/healthz", { Connection: "close" }));
  expect((await late.text).match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
});

it.each([
  ["expectations that nobody knows", head("GET", "/api/v1/capabilities", { Expect: "a-miracle" })],
  ["paths that are malformed", head("GET", "/%zz")],
])("ends whoever sends request after request with %s", async (_what, request) => {
  const server = await serverProcess(await tenantSettings());
  const hostile = dial(server.uri);
  hostile.send(request.repeat(2000));
  expect((await hostile.text).match(/HTTP\/1\.1 /g)?.length ?? 0).toBeLessThan(100);
  await eventually(async () => {
    expect((await httpCall(`${server.adminUri}metrics`)).body.toString()).toMatch(/^staging_connections 0$/m);
  });
});

it("has whoever asks too often with a malformed path line up for a connection each time", async () => {
  const server = await serverProcess(await tenantSettings());
  for (const path of ["/%zz", `/api/v1/bundles/${"a".repeat(3000)}`]) {
    const hostile = dial(server.uri);
    hostile.send(head("GET", path));
    const text = await hostile.text;
    expect(text).toMatch(/^HTTP\/1\.1 400 [^]*connection: close[^]*"retryable":false/i);
    expect(text.length).toBeLessThan(1024);
  }
});

it("takes no file in pieces of a few bytes each", async () => {
  const server = await serverProcess(await tenantSettings());
  const evil = tenant(server, "evil");
  const lease = await evil.openLease();
  const created = await httpCall(new URL(`api/v1/uploads?lease=${lease}`, server.uri).href, {
    method: "POST",
    headers: {
      ...evil.headers,
      "upload-length": "1000000",
      "upload-complete": "?0",
      "repr-digest": `sha-256=:${"A".repeat(43)}=:`,
    },
  });
  const hostile = dial(server.uri);
  const fields = { ...CHUNKED, "Content-Type": "application/partial-upload", "Upload-Offset": 0 };
  const authorization = evil.headers.authorization;
  const path = String(created.headers["location"]);
  hostile.send(head("PATCH", path, { ...fields, "Upload-Complete": "?1", Authorization: authorization }));
  hostile.send("1\r\nx\r\n".repeat(100_000));
  expect(await hostile.status).toBe(400);
  expect(await hostile.text).toContain("pieces of a few bytes");
});
