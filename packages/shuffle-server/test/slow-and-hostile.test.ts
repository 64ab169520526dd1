import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ManualClock } from "@kindling/outside";
import { ByteWriter, encodeBlockMessage, encodeTransportRequest } from "../src/index.ts";
import { APPLICATION, Client, fetchBlocks } from "./support/client.ts";
import { registration, start } from "./support/server.ts";
import { indexOf } from "./support/shuffle-files.ts";

const MEGABYTE = 1024 * 1024;
const SECRET = "what-nobody-may-read";

describe("readers that do not read", () => {
  test("lose their place to others after ten seconds", async () => {
    const clock = new ManualClock();
    await using running = await start({ clock });
    running.files.writeMap(0, 0, [Buffer.alloc(20 * MEGABYTE), Buffer.from("small")]);
    await running.registered();
    const stalled = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const client = await running.client();
        const streamId = await client.open("1", [[0, 0]]);
        client.socket.pause();
        client.send({ kind: "chunk", streamId, chunkIndex: 0 });
        return client;
      }),
    );
    const honest = await running.client();
    const streamId = await honest.open("1", [[0, 1]]);
    const body = honest.chunk(streamId, 0);
    // The clock goes on until the answer is there.
    const passing = new AbortController();
    const time = passTime(clock, passing.signal);
    expect(await body).toEqual(Buffer.from("small"));
    passing.abort();
    await time;
    expect(stalled).toHaveLength(40);
  });

  test("do not make the server read files ahead", async () => {
    await using running = await start();
    running.files.writeMap(0, 0, [Buffer.alloc(64 * MEGABYTE)]);
    await running.registered();
    const before = process.memoryUsage.rss();
    for (let one = 0; one < 20; one++) {
      const client = await running.client();
      const streamId = await client.open("1", [[0, 0]]);
      client.socket.pause();
      client.send({ kind: "chunk", streamId, chunkIndex: 0 });
    }
    const last = await running.client();
    expect(await last.chunk(await last.open("1", [[0, 0]]), 0)).toHaveLength(64 * MEGABYTE);
    // The one block that this process has read, three times in memory at most, and the pieces: not twenty blocks.
    expect(process.memoryUsage.rss() - before).toBeLessThan(300 * MEGABYTE);
  });
});

describe("requests of any kind", () => {
  const name = fc.constantFrom(
    "shuffle_0_0_0",
    "../../../etc/passwd",
    "..",
    "shuffle_0_../../x_0",
    "rdd_1_1",
    `shuffle_0_0_0.data`,
    "a\0b",
    "",
  );
  const number = fc.constantFrom(0, 1, -1, 5, 0x7fff_ffff, -0x8000_0000);
  const executor = fc.constantFrom("1", "2", "../1", "");
  const application = fc.constantFrom(APPLICATION, "others");
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc
      .record({
        application,
        executor,
        names: fc.array(name, { maxLength: 4 }),
        kind: fc.constantFrom("open-blocks", "remove-blocks"),
      })
      .map(({ names, kind, ...of }) => encodeBlockMessage({ kind: kind as "open-blocks", ...of, blockIds: names })),
    fc.record({ executor, map: number, reduce: number }).map((one) =>
      encodeBlockMessage(
        fetchBlocks(one.executor, [
          [one.map, one.reduce],
          [9, 0],
        ]),
      ),
    ),
    fc
      .record({
        application,
        executor,
        dir: fc.constantFrom("/etc", "/", "..", "relative", "/proc/self/root"),
        subDirs: number,
      })
      .map(({ dir, subDirs, ...of }) =>
        encodeBlockMessage({
          kind: "register-executor",
          ...of,
          files: { localDirs: [dir], subDirsPerLocalDir: subDirs, shuffleManager: "" },
        }),
      ),
    fc
      .record({ executor, map: number, reduce: number, algorithm: fc.constantFrom("CRC32", "../x", "") })
      .map(({ executor: of, map, reduce, algorithm }) =>
        encodeBlockMessage({
          kind: "diagnose-corruption",
          application: APPLICATION,
          executor: of,
          shuffleId: 0,
          mapId: BigInt(map),
          reduceId: reduce,
          checksum: 1n,
          algorithm,
        }),
      ),
  );
  const frame = fc.oneof(
    body.map((rpc) => encodeTransportRequest({ kind: "rpc", requestId: 1n, body: rpc })),
    body.map((rpc) => encodeTransportRequest({ kind: "one-way", body: rpc })),
    fc
      .record({ streamId: fc.bigInt({ min: 0n, max: 40n }), chunkIndex: number })
      .map((chunk) => encodeTransportRequest({ kind: "chunk", ...chunk })),
    fc
      .constantFrom("0_0", "1_0", "2_0", "x", "_", "", "1_99999999999")
      .map((streamId) => encodeTransportRequest({ kind: "stream", streamId })),
    fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) =>
      new ByteWriter()
        .long(BigInt(8 + bytes.length))
        .raw(bytes)
        .written(),
    ),
  );

  test("end in an answer or in a closed connection, and show nothing from outside", async () => {
    await using running = await start({ random: { fraction: () => 0 } });
    const outside = `${running.files.root}-outside`;
    writeFileSync(outside, SECRET.repeat(100));
    running.files.writeMap(0, 0, [Buffer.from("block")]);
    running.files.write("shuffle_0_1_0.index", indexOf(0n, 9n, 18n));
    running.files.write("shuffle_0_1_0.data", Buffer.alloc(0));
    rmSync(running.files.path("shuffle_0_1_0.data"));
    symlinkSync(outside, running.files.path("shuffle_0_1_0.data"));
    await running.registered();
    let bytes = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 30 }), async (frames) => {
        const client = await Client.connect(running.server.port);
        let seen = Buffer.alloc(0);
        client.socket.on("data", (chunk) => (seen = Buffer.concat([seen, chunk])));
        // The last one closes the connection, after all others were answered.
        client.sendBytes(Buffer.concat([...frames, new ByteWriter().long(0n).written()]));
        await client.closed();
        expect(seen.includes(SECRET)).toBe(false);
        bytes += seen.length;
      }),
      { numRuns: 200 },
    );
    expect(bytes).toBeGreaterThan(10_000);
    const client = await running.client();
    expect(await client.ask(registration(running.files))).toBeUndefined();
    expect(running.log.length).toBeLessThan(15);
    rmSync(outside);
  });

  test("that promise large frames and do not send them hold little", async () => {
    await using running = await start();
    const clients = await Promise.all(Array.from({ length: 30 }, () => running.client()));
    // 30 MB in all, of frames that promise 4 MB each.
    for (const client of clients) {
      client.sendBytes(new ByteWriter().long(4n * 1024n * 1024n).written());
      client.sendBytes(Buffer.alloc(MEGABYTE));
    }
    await Promise.race(clients.map((client) => client.closed()));
    expect(running.log.some((line) => line.startsWith("refused (overload)"))).toBe(true);
    const honest = await running.client();
    expect(await honest.ask(registration(running.files))).toBeUndefined();
  });
});

async function passTime(clock: ManualClock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
