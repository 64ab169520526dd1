import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { eventually } from "@kindling/test-kit/eventually";
import type { ServerConfig } from "../src/config/server-config.ts";
import { httpCall } from "./support/http-call.ts";
import { MIB, putBlob, sample, stage } from "./support/stage.ts";
import { jsonCall, openLease, problemOf, testServer, type TestServer } from "./support/test-server.ts";

function dial(server: TestServer): Socket {
  const socket = connect(Number(new URL(server.uri).port), "127.0.0.1");
  socket.on("error", () => undefined);
  return socket;
}

function textOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (data) => (text += data.toString("latin1")));
    socket.on("close", () => resolve(text));
  });
}

/** An upload that only sends its beginning. */
async function hangingUpload(
  server: TestServer,
  lease: string,
  size = 1000,
): Promise<{ socket: Socket; text: Promise<string> }> {
  const socket = dial(server);
  const text = textOf(socket);
  const { digest } = sample(size);
  await new Promise<void>((resolve) =>
    socket.write(
      `PUT /api/v1/blobs/${digest}?lease=${lease} HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\nxyz`,
      () => resolve(),
    ),
  );
  return { socket, text };
}

const FAST_GUARD: Partial<ServerConfig> = { "limits.minRate": 10_000, "limits.minRateWindow": 0.6 };

it("ends an upload that drips", async () => {
  const server = await testServer(FAST_GUARD);
  const lease = await openLease(server);
  const { socket, text } = await hangingUpload(server, lease);
  const drip = setInterval(() => socket.write("x"), 20);
  const answer = await text;
  clearInterval(drip);
  expect(answer).toMatch(/^HTTP\/1.1 408 /);
  expect(answer).toContain("too-slow");
});

it("does not take an upload for slow whose bytes come fast enough", async () => {
  const server = await testServer({ ...FAST_GUARD, "limits.minRate": 1000 });
  const lease = await openLease(server);
  const { digest, bytes } = sample(40_000);
  const socket = dial(server);
  const text = textOf(socket);
  socket.write(
    `PUT /api/v1/blobs/${digest}?lease=${lease} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 40000\r\n\r\n`,
  );
  let sent = 0;
  const drip = setInterval(() => {
    socket.write(bytes.subarray(sent, sent + 1000));
    sent += 1000;
    if (sent >= 40_000) clearInterval(drip);
  }, 30);
  expect(await text).toMatch(/^HTTP\/1.1 201 /);
});

it("ends a connection whose headers drip", async () => {
  const server = await testServer({ "limits.headersTimeout": 0.3 });
  const socket = dial(server);
  const text = textOf(socket);
  socket.write("GET /api/v1/capabilities HTTP/1.1\r\nHo");
  expect(await text).toMatch(/^(HTTP\/1.1 408 |$)/);
});

it("ends a download whose reader takes nothing", async () => {
  const server = await testServer({ "limits.writeStall": 0.5 });
  const bundle = await stage(server, { a: 30 * MIB });
  const socket = dial(server);
  socket.pause();
  socket.write(
    `GET /api/v1/bundles/${bundle.bundleId}/files/a HTTP/1.1\r\nHost: x\r\nAuthorization: ${bundle.headers["authorization"]}\r\n\r\n`,
  );
  const transfers = async (): Promise<string> => {
    return (await httpCall(`${server.adminUri}metrics`)).body.toString();
  };
  await eventually(async () => expect(await transfers()).toContain('staging_transfers{direction="out"} 1'));
  await eventually(async () => expect(await transfers()).toContain('staging_transfers{direction="out"} 0'));
  socket.destroy();
});

it("sends uploads beyond its limit away, with a time to come back", async () => {
  const server = await testServer({ "limits.uploads": 3, "limits.uploadsPerClient": 2 });
  const lease = await openLease(server);
  const hanging = [await hangingUpload(server, lease), await hangingUpload(server, lease)];
  const put = () => server.call(`api/v1/blobs/${sample(1).digest}?lease=${lease}`, { method: "PUT", body: "x" });
  await eventually(async () => {
    const answer = await put();
    expect([answer.status, problemOf(answer)]).toEqual([429, "too-many-uploads"]);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  });
  for (const { socket } of hanging) socket.destroy();
  const one = sample(10);
  await eventually(async () => expect(await putBlob(server, lease, one)).toBeLessThan(300));
});

it("sends downloads beyond its limit away, and serves them when there is room", async () => {
  const server = await testServer({ "limits.downloads": 1 });
  const bundle = await stage(server, { a: 30 * MIB, b: 10 });
  const socket = dial(server);
  socket.pause();
  socket.write(
    `GET /api/v1/bundles/${bundle.bundleId}/files/a HTTP/1.1\r\nHost: x\r\nAuthorization: ${bundle.headers["authorization"]}\r\n\r\n`,
  );
  const get = () => server.call(`api/v1/bundles/${bundle.bundleId}/files/b`, { headers: bundle.headers });
  await eventually(async () => {
    const answer = await get();
    expect([answer.status, problemOf(answer)]).toEqual([503, "overloaded"]);
    expect(answer.headers["retry-after"]).toMatch(/^[1-5]$/);
  });
  socket.destroy();
  await eventually(async () => expect((await get()).status).toBe(200));
});

const KIB = 1024;

it("promises a namespace no more than its quota, and counts shared files once", async () => {
  const server = await testServer({ "quota.default": 1000 * KIB, "quota.namespaces": ["team-*=100k", "free=0"] });
  const bundle = await stage(server, { a: 600 * KIB });
  const lease = await openLease(server);
  const big = sample(500 * KIB);
  const refused = await server.call(`api/v1/blobs/${big.digest}?lease=${lease}`, { method: "PUT", body: big.bytes });
  expect([refused.status, problemOf(refused)]).toEqual([507, "quota-exceeded"]);
  const same = bundle.files["a"] ?? sample(0);
  expect(await putBlob(server, lease, same)).toBe(200);
  expect(await putBlob(server, lease, sample(300 * KIB))).toBe(201);
  expect(await putBlob(server, lease, sample(300 * KIB))).toBe(507);

  expect(await putBlob(server, await openLease(server, "team-a"), sample(100 * KIB))).toBe(507);
  expect(await putBlob(server, await openLease(server, "free"), sample(5000 * KIB))).toBe(201);
  expect((await server.call("api/v1/stat")).json).toMatchObject({
    namespaces: [{ namespace: "default", bundles: 1, bytes: 600 * KIB, quotaBytes: 1000 * KIB }],
  });

  await server.call(`api/v1/bundles/${bundle.bundleId}`, { method: "DELETE", headers: bundle.headers });
  await server.call("api/v1/bundles");
  expect(await putBlob(server, lease, sample(500 * KIB))).toBe(201);
});

it("counts what is still being uploaded against the quota", async () => {
  const server = await testServer({ "quota.default": 1000 * KIB });
  const lease = await openLease(server);
  const { socket } = await hangingUpload(server, lease, 800 * KIB);
  await eventually(async () => expect(await putBlob(server, lease, sample(300 * KIB))).toBe(507));
  socket.destroy();
  await eventually(async () => expect(await putBlob(server, lease, sample(300 * KIB))).toBe(201));
});

it("refuses at once what the disk has no room for, lists of files included", async () => {
  const folder = scratchFolder().path;
  const before = await testServer({ "store.path": folder });
  const [lease, staged] = [await openLease(before), await stage(before, { a: 10 })];
  await before.stop();
  const server = await testServer({ "store.path": folder, "store.minFree": Number.MAX_SAFE_INTEGER });
  const { digest, bytes } = sample(10);
  const upload = await server.call(`api/v1/blobs/${digest}?lease=${lease}`, { method: "PUT", body: bytes });
  expect([upload.status, problemOf(upload)]).toEqual([507, "no-space"]);
  const another = await server.call("api/v1/leases", jsonCall({ namespace: "default" }));
  expect([another.status, problemOf(another)]).toEqual([507, "no-space"]);
  // Existing bundles can be used, and deleted.
  const path = `api/v1/bundles/${staged.bundleId}`;
  expect((await server.call(`${path}/files/a`, { headers: staged.headers })).status).toBe(200);
  expect((await server.call(path, { method: "DELETE", headers: staged.headers })).status).toBe(204);
});
