import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { eventually } from "@kindling/test-kit/eventually";
import { sample } from "../../src/testing/random-bytes.ts";
import { dial, head } from "@kindling/test-kit/hostile-socket";
import { httpCall } from "../support/http-call.ts";
import { serverProcess, type ServerProcess } from "../support/server-process.ts";
import { tenant, tenantSettings, type StagedFile } from "../support/tenants.ts";

const MIB = 1024 * 1024;

async function downloads(server: ServerProcess): Promise<number> {
  const metrics = (await httpCall(`${server.adminUri}metrics`)).body.toString();
  return Number(/^staging_transfers\{direction="out"\} (\d+)$/m.exec(metrics)?.[1] ?? "0");
}

function statusOf(server: ServerProcess, { path, headers }: StagedFile): Promise<number> {
  return httpCall(new URL(path, server.uri).href, { headers }).then(({ status }) => status);
}

it("has places for another tenant while one has hundreds of slow readers", async () => {
  const server = await serverProcess({ ...(await tenantSettings()), "limits.downloads": 60 });
  const [wanted, hoarded] = [await tenant(server, "good").stage(1000), await tenant(server, "evil").stage(20 * MIB)];
  const readers = Array.from({ length: 200 }, () => {
    const hostile = dial(server.uri);
    hostile.socket.pause();
    hostile.send(head("GET", hoarded.path, { Authorization: hoarded.headers.authorization }));
    return hostile;
  });
  // Two thirds of the places, and not one more.
  await eventually(async () => expect(await downloads(server)).toBe(40));
  for (let index = 0; index < 10; index++) expect(await statusOf(server, wanted)).toBe(200);
  expect(await statusOf(server, hoarded)).toBe(503);
  for (const reader of readers) reader.close();
  await eventually(async () => expect(await statusOf(server, hoarded)).toBe(200));
}, 60_000);

it("has places for another tenant's uploads while one has as many open as it can", async () => {
  const server = await serverProcess({ ...(await tenantSettings()), "limits.uploads": 12 });
  const [good, evil] = [tenant(server, "good"), tenant(server, "evil")];
  const lease = await evil.openLease();
  const open = Array.from({ length: 20 }, (_, index) => {
    const hostile = dial(server.uri);
    const { digest } = sample(1000 + index);
    const fields = { Authorization: evil.headers.authorization, "Content-Length": 1000 + index };
    hostile.send(head("PUT", `/api/v1/blobs/${digest}?lease=${lease}`, fields), "x");
    return hostile;
  });
  const refused: (number | undefined)[] = [];
  for (const { status } of open) void status.then((code) => refused.push(code));
  await eventually(() => expect(refused).toHaveLength(12));
  expect(new Set(refused)).toEqual(new Set([503]));
  expect((await good.put(await good.openLease(), sample(1000))).status).toBe(201);
});

/** Reads a few bytes at a time, and only this many a second. */
function slowReader(server: ServerProcess, { path, headers }: StagedFile, bytesPerSecond: number) {
  const piece = 512;
  const reader = { bytes: 0, open: true, close: (): void => void socket.destroy() };
  let due = performance.now();
  const socket = connect({
    port: Number(new URL(server.uri).port),
    host: "127.0.0.1",
    onread: {
      buffer: Buffer.alloc(piece),
      callback(bytes) {
        reader.bytes += bytes;
        due += (bytes / bytesPerSecond) * 1000;
        const early = due - performance.now();
        if (early <= 5) return true;
        setTimeout(() => socket.resume(), early);
        return false;
      },
    },
  });
  socket.on("error", () => undefined).on("close", () => (reader.open = false));
  socket.write(head("GET", path, { Authorization: headers.authorization }));
  return reader;
}

it("goes on with a reader that is slow, and ends one that takes nothing", async ({ onTestFinished }) => {
  const stall = 4;
  const server = await serverProcess({ ...(await tenantSettings()), "limits.writeStall": stall });
  const staged = await tenant(server, "good").stage(64 * MIB);
  const silent = dial(server.uri);
  silent.socket.pause();
  silent.send(head("GET", staged.path, { Authorization: staged.headers.authorization }));
  // At this rate, the kernels' buffers make the server wait for much longer than a reader may read nothing.
  const slow = slowReader(server, staged, 48 * 1024);
  onTestFinished(slow.close);
  await eventually(async () => expect(await downloads(server)).toBe(2));
  await eventually(async () => expect(await downloads(server)).toBe(1));
  // Several times as long as the limit.
  await sleep(5 * stall * 1000);
  const before = slow.bytes;
  expect(slow.open).toBe(true);
  await eventually(() => expect(slow.bytes).toBeGreaterThan(before + 100_000));
  expect(await downloads(server)).toBe(1);
  silent.close();
}, 90_000);
