import { connect } from "node:net";
import { expect, it } from "vitest";
import { formatDigestField } from "@kindling/staging-client";
import { eventually } from "@kindling/test-kit/eventually";
import { httpCall } from "./support/http-call.ts";
import { MIB, sample, stage } from "./support/stage.ts";
import { openLease, testServer } from "./support/test-server.ts";

it("finishes what is under way, refuses what is new, and is not ready meanwhile", async () => {
  const server = await testServer({ "shutdown.grace": 10 });
  const bundle = await stage(server, { a: 30 * MIB });
  const reader = connect(Number(new URL(server.uri).port), "127.0.0.1");
  let bytes = 0;
  reader.write(
    `GET /api/v1/bundles/${bundle.bundleId}/files/a HTTP/1.1\r\nHost: x\r\nAuthorization: ${bundle.headers["authorization"]}\r\n\r\n`,
  );
  await new Promise<void>((resolve) => reader.once("readable", () => resolve()));
  const idle = connect(Number(new URL(server.uri).port), "127.0.0.1");
  await new Promise<void>((resolve) => idle.once("connect", () => resolve()));
  const late = new Promise<string>((resolve) => {
    idle.on("data", (data) => resolve(data.toString()));
    // Some versions of Node close it at once, perhaps while this client writes.
    idle.on("error", () => undefined);
    idle.once("close", () => resolve("closed"));
  });

  const stopped = server.stop();
  expect((await httpCall(`${server.adminUri}readyz`)).status).toBe(503);
  expect((await httpCall(`${server.adminUri}healthz`)).status).toBe(200);
  idle.write("GET /api/v1/capabilities HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(await late).toMatch(/^closed|503/);
  const complete = new Promise<void>((resolve) => reader.on("close", () => resolve()));
  reader.on("data", (chunk) => (bytes += chunk.length));
  await complete;
  expect(bytes).toBeGreaterThan(30 * MIB);
  await stopped;
  await expect(server.call("api/v1/capabilities")).rejects.toThrow(/ECONNREFUSED|closed/);
});

it("keeps what an upload has sent when the grace is over", async () => {
  const server = await testServer({ "shutdown.grace": 0.2 });
  const lease = await openLease(server);
  const one = sample(MIB);
  const created = await server.call(`api/v1/uploads?lease=${lease}`, {
    method: "POST",
    headers: {
      "upload-complete": "?0",
      "upload-length": MIB,
      "repr-digest": formatDigestField(one.digest),
      "content-length": 0,
    },
  });
  const path = created.headers.location ?? "";
  const socket = connect(Number(new URL(server.uri).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(
    `PATCH ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/partial-upload\r\nUpload-Offset: 0\r\nUpload-Complete: ?1\r\nContent-Length: ${MIB}\r\n\r\n`,
  );
  socket.write(one.bytes.subarray(0, 500_000));
  await eventually(async () => {
    expect((await httpCall(`${server.adminUri}metrics`)).body.toString()).toMatch(
      /^staging_received_bytes_total 500000$/m,
    );
  });
  const restarted = await server.restart();
  expect((await restarted.call(path, { method: "HEAD" })).headers["upload-offset"]).toBe("500000");
  const rest = await restarted.call(path, {
    method: "PATCH",
    headers: { "content-type": "application/partial-upload", "upload-offset": 500_000, "upload-complete": "?1" },
    body: one.bytes.subarray(500_000),
  });
  expect(rest.status).toBe(201);
});
