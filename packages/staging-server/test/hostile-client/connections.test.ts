import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { eventually } from "@kindling/test-kit/eventually";
import { sample } from "../../src/testing/random-bytes.ts";
import { testAuthority } from "@kindling/test-kit/certificates";
import { dial, head, type HostileSocket } from "@kindling/test-kit/hostile-socket";
import { httpCall } from "../support/http-call.ts";
import { serverProcess, type ServerProcess } from "../support/server-process.ts";
import { tenant, tenantSettings } from "../support/tenants.ts";

const DESCRIPTORS = 256;
const CROWD = 500;

/** Far more connections than the server has places, each beginning in the same way. */
function crowd(server: ServerProcess, begin: (hostile: HostileSocket) => void): readonly HostileSocket[] {
  return Array.from({ length: CROWD }, () => {
    const hostile = dial(server.uri);
    begin(hostile);
    return hostile;
  });
}

async function connections(server: ServerProcess): Promise<number> {
  const metrics = (await httpCall(`${server.adminUri}metrics`)).body.toString();
  return Number(/^staging_connections (\d+)$/m.exec(metrics)?.[1]);
}

it.each([
  ["say nothing", () => undefined],
  ["send half a request line", (hostile: HostileSocket) => hostile.send("GET /api/v1/capa")],
  [
    "send headers without end",
    (hostile: HostileSocket) => hostile.send("GET /api/v1/capabilities HTTP/1.1\r\nHost: x\r\nX-More: x"),
  ],
  [
    "withhold a body",
    (hostile: HostileSocket) =>
      hostile.send(head("POST", "/api/v1/leases", { "Content-Type": "application/json", "Content-Length": 100 })),
  ],
])(
  "keeps places for others when many connections %s",
  async (_what, begin) => {
    const server = await serverProcess(await tenantSettings(), { descriptors: DESCRIPTORS });
    const hostile = crowd(server, begin);
    await eventually(() => expect(hostile.filter((each) => !each.isOpen()).length).toBeGreaterThan(CROWD / 2));
    const good = tenant(server, "good");
    const staged = await good.stage(3_000_000);
    const answer = await httpCall(new URL(staged.path, server.uri).href, { headers: staged.headers });
    expect(answer.body.equals(staged.file.bytes)).toBe(true);
    expect((await httpCall(`${server.adminUri}healthz`)).status).toBe(200);
    expect(server.descriptors()).toBeLessThan(DESCRIPTORS);
    expect(server.isRunning()).toBe(true);
    for (const each of hostile) each.close();
    await eventually(async () => expect(await connections(server)).toBe(0));
  },
  60_000,
);

it("keeps places for others when many connections begin TLS and stop", async () => {
  const folder = scratchFolder().path;
  const authority = testAuthority("servers");
  const { cert, key } = authority.issue("staging");
  const files = { "tls.certFile": join(folder, "cert.pem"), "tls.keyFile": join(folder, "key.pem") };
  await writeFile(files["tls.certFile"], cert);
  await writeFile(files["tls.keyFile"], key);
  const server = await serverProcess({ ...(await tenantSettings()), ...files }, { descriptors: DESCRIPTORS });
  // The beginning of a handshake record that announces 512 bytes.
  const hostile = crowd(server, (each) => each.socket.write(Buffer.from("1603010200", "hex")));
  await eventually(() => expect(hostile.filter((each) => !each.isOpen()).length).toBeGreaterThan(CROWD / 2));
  const answer = await httpCall(new URL("api/v1/bundles", server.uri).href, {
    headers: tenant(server, "good").headers,
    ca: authority.cert,
  });
  expect(answer.status).toBe(200);
  expect(server.descriptors()).toBeLessThan(DESCRIPTORS);
  for (const each of hostile) each.close();
  await eventually(async () => expect(await connections(server)).toBe(0));
}, 60_000);

it("does not cut the transfers of known clients for a crowd of strangers", async () => {
  const server = await serverProcess(await tenantSettings(), { descriptors: DESCRIPTORS });
  const good = tenant(server, "good");
  const lease = await good.openLease();
  const { digest, bytes } = sample(500_000);
  const slow = dial(server.uri);
  const fields = { Authorization: good.headers.authorization, "Content-Length": bytes.length };
  slow.send(head("PUT", `/api/v1/blobs/${digest}?lease=${lease}`, fields), bytes.subarray(0, 1000));
  await eventually(async () => {
    const metrics = (await httpCall(`${server.adminUri}metrics`)).body.toString();
    expect(metrics).toMatch(/^staging_received_bytes_total 1000$/m);
  });
  const hostile = crowd(server, (each) => each.send("GET / HTTP/1.1\r\n"));
  await eventually(() => expect(hostile.filter((each) => !each.isOpen()).length).toBeGreaterThan(CROWD / 2));
  expect(slow.isOpen()).toBe(true);
  slow.send(bytes.subarray(1000));
  expect(await slow.status).toBe(201);
}, 60_000);

it("ends whoever sends request after request without waiting for an answer", async () => {
  const server = await serverProcess(await tenantSettings());
  const hostile = dial(server.uri);
  hostile.send(head("GET", "/api/v1/capabilities").repeat(2000));
  await hostile.text;
  expect((await tenant(server, "good").call("GET", "bundles")).status).toBe(200);
  const metrics = (await httpCall(`${server.adminUri}metrics`)).body.toString();
  expect(metrics).toMatch(/^staging_connections_cut_total\{reason="pipelining"\} 1$/m);
  // A few such requests are allowed.
  const few = dial(server.uri);
  few.send(
    head("GET", "/api/v1/capabilities").repeat(2) + head("GET", "/api/v1/capabilities", { Connection: "close" }),
  );
  expect((await few.text).match(/HTTP\/1\.1 200 /g)).toHaveLength(3);
});

it("has whoever asks too often what needs no credentials line up for a connection each time", async () => {
  const server = await serverProcess({ ...(await tenantSettings()), "limits.strangerRate": 1 });
  const ask = async (count: number): Promise<string> => {
    const hostile = dial(server.uri);
    const again = head("GET", "/api/v1/capabilities");
    // One after the other: each is answered before the next is sent.
    let sent = 1;
    hostile.socket.on("data", () => (sent++ < count ? hostile.send(again) : hostile.close()));
    hostile.send(again);
    return await hostile.text;
  };
  const answers = (await ask(50)).match(/HTTP\/1\.1 200 /g) ?? [];
  // Five at once, and then one a second.
  expect(answers.length).toBeGreaterThanOrEqual(5);
  expect(answers.length).toBeLessThan(50);
  // The client still gets answers, and so do clients with credentials.
  expect(await ask(1)).toMatch(/^HTTP\/1\.1 200 [^]*connection: close/i);
  const good = tenant(server, "good");
  for (let index = 0; index < 20; index++) expect((await good.call("GET", "bundles")).status).toBe(200);
});

it("gives one address, and one client, no more than its part of the connections", async () => {
  const settings = { "limits.connections": 40, "limits.connectionsPerClient": 10, "listen.host": "0.0.0.0" };
  // Silent connections stay open for as long as this test may take.
  const patience = { "limits.headersTimeout": 600 };
  const server = await serverProcess({ ...(await tenantSettings()), ...settings, ...patience });
  const strangers = Array.from({ length: 30 }, () => dial(server.uri));
  await eventually(() => expect(strangers.filter((each) => each.isOpen())).toHaveLength(10));
  const elsewhere = dial(server.uri, { from: "127.0.0.2" });
  await eventually(async () => expect(await connections(server)).toBe(11));
  expect(elsewhere.isOpen()).toBe(true);

  const evil = tenant(server, "evil");
  const known = Array.from({ length: 30 }, (_, index) => dial(server.uri, { from: `127.0.1.${index + 1}` }));
  for (const each of known) each.send(head("GET", "/api/v1/bundles", { Authorization: evil.headers.authorization }));
  await eventually(() => expect(known.filter((each) => each.isOpen()).length).toBeLessThanOrEqual(10));
});

it("counts the connections of a trusted proxy by what it says about its clients", async () => {
  const settings = { "limits.connectionsPerClient": 5, "limits.requests": 8, "listen.trustedProxies": ["127.0.0.0/8"] };
  const server = await serverProcess({ ...(await tenantSettings()), ...settings });
  const clients = Array.from({ length: 20 }, () => dial(server.uri));
  for (const each of clients) each.send("GET /api/v1/capabilities HTTP/1.1\r\n");
  await eventually(async () => expect(await connections(server)).toBe(20));
  // One client of the proxy may have half of the requests under way; another client finds room.
  const evil = tenant(server, "evil");
  const fields = {
    Authorization: evil.headers.authorization,
    "Content-Type": "application/json",
    "Content-Length": 100,
  };
  for (const each of clients) {
    each.send("Host: x\r\n\r\n");
    each.send(head("POST", "/api/v1/leases", { ...fields, "X-Forwarded-For": "192.0.2.1" }));
  }
  const good = tenant(server, "good");
  expect((await good.call("GET", "bundles")).status).toBe(200);
});

it("has as many requests of one client under way as half of all, and refuses more at once", async () => {
  const server = await serverProcess({ ...(await tenantSettings()), "limits.requests": 20 });
  const evil = tenant(server, "evil");
  const fields = {
    Authorization: evil.headers.authorization,
    "Content-Type": "application/json",
    "Content-Length": 100,
  };
  const hanging = Array.from({ length: 15 }, () => {
    const hostile = dial(server.uri);
    hostile.send(head("POST", "/api/v1/leases", fields));
    return hostile;
  });
  const refused: (number | undefined)[] = [];
  for (const { status } of hanging) void status.then((code) => refused.push(code));
  await eventually(() => expect(refused).toHaveLength(5));
  expect(new Set(refused)).toEqual(new Set([429]));
  // These connections are closed after a time to read the answer.
  const text = await Promise.race(hanging.map((each) => each.text));
  expect(text).toMatch(/retry-after: \d/i);
  expect(text).toMatch(/connection: close/i);
  expect((await tenant(server, "good").call("GET", "bundles")).status).toBe(200);
});
