import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { encodeTransportRequest } from "../src/index.ts";
import { APPLICATION, fetchBlocks } from "./support/client.ts";
import { registration, start } from "./support/server.ts";
import { indexOf } from "./support/shuffle-files.ts";

const SECRET = "a file that nobody may read";
const MEGABYTE = 1024 * 1024;

describe("fetching", () => {
  test("blocks of any size come as they are on the disk, in their order", async () => {
    await using running = await start();
    const sizes = [0, 1, 255 * 1024, 256 * 1024, 256 * 1024 + 1, 3 * MEGABYTE + 7, 0, 12];
    const blocks = sizes.map((size, index) => Buffer.alloc(size, index + 1));
    running.files.writeMap(0, 0, blocks);
    const client = await running.registered();
    const stream = await client.open(
      "1",
      blocks.map((_, reduce) => [0, reduce]),
    );
    client.send(...blocks.map((_, chunkIndex) => ({ kind: "chunk", streamId: stream, chunkIndex }) as const));
    for (const [index, block] of blocks.entries()) {
      const answer = await client.answer();
      expect(answer.kind === "chunk" && answer.body.equals(block), `block ${index}`).toBe(true);
    }
  });

  test("several clients at once get their own blocks", async () => {
    await using running = await start();
    for (let map = 0; map < 8; map++) running.files.writeMap(0, map, [Buffer.alloc(MEGABYTE, map)]);
    await running.registered();
    const all = await Promise.all(
      Array.from({ length: 8 }, async (_, map) => {
        const client = await running.client();
        const stream = await client.open("1", [[map, 0]]);
        return client.chunk(stream, 0);
      }),
    );
    expect(all.map((body) => [body.length, body.at(0), body.at(-1)])).toEqual(
      Array.from({ length: 8 }, (_, map) => [MEGABYTE, map, map]),
    );
  });

  test("a hundred thousand small blocks of one request", async () => {
    await using running = await start();
    const count = 1_000;
    running.files.writeMap(
      0,
      0,
      Array.from({ length: count }, (_, index) => Buffer.from(String(index))),
    );
    const client = await running.registered();
    const wanted = Array.from({ length: 100_000 }, (_, index) => [0, index % count] as const);
    const streamId = await client.open("1", wanted);
    client.send(...wanted.map((_, chunkIndex) => ({ kind: "chunk", streamId, chunkIndex }) as const));
    let right = 0;
    for (const [, reduce] of wanted) {
      const answer = await client.answer();
      if (answer.kind === "chunk" && answer.body.toString() === String(reduce)) right++;
    }
    expect(right).toBe(wanted.length);
  });

  test("an index that was written anew is read anew, and a file that is replaced too", async () => {
    await using running = await start();
    running.files.writeMap(0, 0, [Buffer.from("old")]);
    const client = await running.registered();
    expect(await client.chunk(await client.open("1", [[0, 0]]), 0)).toEqual(Buffer.from("old"));
    const path = running.files.path("shuffle_0_0_0.data");
    writeFileSync(`${path}.new`, "newer");
    renameSync(`${path}.new`, path);
    running.files.write("shuffle_0_0_0.index", indexOf(0n, 5n));
    expect(await client.chunk(await client.open("1", [[0, 0]]), 0)).toEqual(Buffer.from("newer"));
  });

  test("a removed block is gone, and its space is free", async () => {
    await using running = await start();
    running.files.writeMap(0, 0, [Buffer.from("block")]);
    const client = await running.registered();
    await client.chunk(await client.open("1", [[0, 0]]), 0);
    const blockIds = ["shuffle_0_0_0.data", "shuffle_0_0_0.index"];
    const removed = await client.ask({ kind: "remove-blocks", application: APPLICATION, executor: "1", blockIds });
    expect(removed).toEqual({ kind: "blocks-removed", count: 2 });
    expect(await client.chunk(await client.open("1", [[0, 0]]), 0)).toMatch(
      /^java.lang.RuntimeException: Failed to open/,
    );
    expect(deletedFiles()).toEqual([]);
  });

  test("an index of many partitions is read where it is needed", async () => {
    await using running = await start();
    const offsets = Array.from({ length: 100_001 }, (_, index) => BigInt(index));
    running.files.write("shuffle_0_0_0.index", indexOf(...offsets));
    running.files.write("shuffle_0_0_0.data", Buffer.from("x".repeat(99_999) + "y"));
    const client = await running.registered();
    const stream = await client.open("1", [
      [0, 99_999],
      [0, 100_000],
    ]);
    expect(await client.chunk(stream, 0)).toEqual(Buffer.from("y"));
    expect(await client.chunk(stream, 1)).toContain("IndexOutOfBounds");
  });
});

describe("what may not be read", () => {
  test("another application is refused, whatever it asks", async () => {
    await using running = await start({ application: "spark-of-others" });
    const client = await running.client();
    const refused = `java.lang.SecurityException: Client for spark-of-others not authorized for application ${APPLICATION}.`;
    const ofExecutor = { application: APPLICATION, executor: "1" };
    expect(await client.ask(registration(running.files))).toBe(refused);
    expect(await client.ask(fetchBlocks("1", [[0, 0]]))).toBe(refused);
    expect(await client.ask({ kind: "open-blocks", ...ofExecutor, blockIds: ["shuffle_0_0_0"] })).toBe(refused);
    expect(await client.ask({ kind: "remove-blocks", ...ofExecutor, blockIds: [] })).toBe(refused);
    expect(await client.ask({ kind: "get-local-dirs", application: APPLICATION, executors: [] })).toBe(refused);
    expect(running.log.filter((line) => line.includes("refused (application)"))).toHaveLength(1);
  });

  test.each([
    ["a directory outside", () => "/usr/lib"],
    ["a directory outside that is not there", () => "/no/such/directory"],
    ["a way outside", (root: string) => `${root}/blockmgr-1/../../../usr`],
    ["a sibling with the same beginning", (root: string) => `${root}-other`],
    ["a relative path", () => "blockmgr-1"],
    ["a path with a null byte", (root: string) => `${root}/a\0b`],
    ["an empty path", () => ""],
  ])("%s is refused by its name", async (_, directory) => {
    await using running = await start();
    const path = directory(running.files.root);
    const client = await running.client();
    const files = { localDirs: [path], subDirsPerLocalDir: 64, shuffleManager: "sort" };
    const answer = await client.ask({ ...registration(running.files), files });
    expect(answer).toMatch(/^java.lang.IllegalArgumentException: localDirs entr/);
    expect(answer).toContain(path);
  });

  test("a directory that cannot be read is refused by its name", async () => {
    await using running = await start();
    const missing = `${running.files.root}/blockmgr-missing`;
    const client = await running.client();
    const files = { localDirs: [missing], subDirsPerLocalDir: 64, shuffleManager: "sort" };
    expect(await client.ask({ ...registration(running.files), files })).toBe(
      `java.lang.IllegalArgumentException: localDirs entry cannot be read: ${missing} (ENOENT)`,
    );
  });

  test("a link of a local directory that leads outside is refused", async () => {
    await using running = await start();
    symlinkSync("/usr", `${running.files.root}/blockmgr-link`);
    const client = await running.client();
    const localDirs = [`${running.files.root}/blockmgr-link`];
    const files = { localDirs, subDirsPerLocalDir: 64, shuffleManager: "sort" };
    expect(await client.ask({ ...registration(running.files), files })).toContain(
      "is not under any of the service's local directories",
    );
  });

  test.each(["data", "index"])("a link in place of the %s of a block is not followed", async (ending) => {
    await using running = await start();
    await using other = await start();
    const secret = other.files.write("secret", Buffer.from(SECRET.repeat(10)));
    running.files.writeMap(0, 0, [Buffer.from("block")]);
    const path = running.files.path(`shuffle_0_0_0.${ending}`);
    rmSync(path);
    symlinkSync(secret, path);
    const client = await running.registered();
    const answer = await client.chunk(await client.open("1", [[0, 0]]), 0);
    expect(answer).toMatch(/^java.lang.RuntimeException: Block file .* resolves outside/);
  });

  test("a link in place of a folder is not followed, also for removing", async () => {
    await using running = await start();
    await using other = await start();
    other.files.writeMap(0, 0, [Buffer.from(SECRET)]);
    const folder = running.files.path("shuffle_0_0_0.data").replace(/\/[^/]+$/, "");
    symlinkSync(other.files.path("shuffle_0_0_0.data").replace(/\/[^/]+$/, ""), folder);
    running.files.write("shuffle_0_0_0.index", indexOf(0n, 4n));
    const client = await running.registered();
    const blockIds = ["shuffle_0_0_0.data"];
    const removed = await client.ask({ kind: "remove-blocks", application: APPLICATION, executor: "1", blockIds });
    expect(removed).toEqual({ kind: "blocks-removed", count: 0 });
    const answer = await client.chunk(await client.open("1", [[0, 0]]), 0);
    expect(answer).toMatch(/resolves outside/);
  });

  test("a pipe or a folder in place of a block is refused, and does not wait", async () => {
    await using running = await start();
    running.files.writeMap(0, 0, [Buffer.from("block")]);
    const client = await running.registered();
    const path = running.files.path("shuffle_0_0_0.data");
    rmSync(path);
    execFileSync("mkfifo", [path]);
    expect(await client.chunk(await client.open("1", [[0, 0]]), 0)).toMatch(/is not a file$/);
    rmSync(path);
    mkdirSync(path);
    expect(await client.chunk(await client.open("1", [[0, 0]]), 0)).toMatch(/is not a file$/);
  });

  test("a data file that is shorter than its index says is refused before the answer begins", async () => {
    await using running = await start();
    running.files.writeMap(0, 0, [Buffer.from("block"), Buffer.from("cut off")]);
    truncateSync(running.files.path("shuffle_0_0_0.data"), 6);
    const client = await running.registered();
    expect(await client.chunk(await client.open("1", [[0, 1]]), 0)).toMatch(/has 6 bytes, and the block ends at 12$/);
    expect(await client.chunk(await client.open("1", [[0, 0]]), 0)).toEqual(Buffer.from("block"));
  });

  test.each([
    ["negative", indexOf(-5n, 3n)],
    ["falling", indexOf(5n, 3n)],
    ["beyond every file", indexOf(0n, 2n ** 62n)],
    ["beyond this file", indexOf(1_000n, 1_001n)],
    ["missing", indexOf(0n)],
    ["odd", Buffer.from("odd")],
  ])("an index with numbers that are %s is refused in words", async (_, index) => {
    await using running = await start();
    running.files.writeMap(0, 0, [Buffer.from("block")]);
    running.files.write("shuffle_0_0_0.index", index);
    const client = await running.registered();
    expect(await client.chunk(await client.open("1", [[0, 0]]), 0)).toMatch(/^java\.(lang|io)\.\w+Exception: .{20}/);
  });
});

describe("connections", () => {
  test("a stream of another connection is not there", async () => {
    await using running = await start();
    running.files.writeMap(0, 0, [Buffer.from("block")]);
    const stream = await (await running.registered()).open("1", [[0, 0]]);
    const other = await running.client();
    expect(await other.chunk(stream, 0)).toBe("java.lang.IllegalArgumentException: Unknown stream ID.");
  });

  test("of more than a thousand open streams the oldest ones are closed", async () => {
    await using running = await start();
    running.files.writeMap(0, 0, [Buffer.from("block")]);
    const client = await running.registered();
    const first = await client.open("1", [[0, 0]]);
    for (let more = 0; more < 1_000; more++) await client.open("1", [[0, 0]]);
    expect(await client.chunk(first, 0)).toContain("Unknown stream");
    expect(await client.chunk(first + 1n, 0)).toEqual(Buffer.from("block"));
  });

  test("a client that closes its half is let go", async () => {
    await using running = await start();
    const client = await running.registered();
    client.socket.end();
    await client.closed();
    expect(await (await running.client()).ask(registration(running.files))).toBeUndefined();
  });

  test("a client that goes in the middle of an answer harms nobody", async () => {
    await using running = await start();
    running.files.writeMap(0, 0, [Buffer.alloc(40 * MEGABYTE)]);
    for (let round = 0; round < 50; round++) {
      const client = await running.registered();
      client.send({ kind: "chunk", streamId: await client.open("1", [[0, 0]]), chunkIndex: 0 });
      client.close();
    }
    const client = await running.client();
    const body = await client.chunk(await client.open("1", [[0, 0]]), 0);
    expect(body.length).toBe(40 * MEGABYTE);
  });

  test("what is not the protocol closes the connection, with a line in the log", async () => {
    await using running = await start();
    const client = await running.client();
    client.sendBytes(Buffer.from("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    await client.closed();
    expect(running.log.at(-1)).toMatch(/^refused \(frame\) \S+: a frame of \d+ bytes, and at most 4194304 are read$/);
  });

  test("requests that wait hold no more than their share", async () => {
    await using running = await start();
    running.files.writeMap(0, 0, [Buffer.alloc(20 * MEGABYTE)]);
    const client = await running.registered();
    const streamId = await client.open("1", [[0, 0]]);
    client.socket.pause();
    client.send({ kind: "chunk", streamId, chunkIndex: 0 });
    const request = encodeTransportRequest({ kind: "stream", streamId: "x".repeat(1_000) });
    const flood = Buffer.concat(Array.from({ length: 1_000 }, () => request));
    for (let round = 0; round < 40; round++) client.sendBytes(flood);
    const honest = await running.client();
    expect(await honest.ask(registration(running.files))).toBeUndefined();
    // Most of the flood is still on the client's side.
    expect(client.socket.writableLength).toBeGreaterThan(20 * MEGABYTE);
  });
});

/** Files that this process has open although they are deleted. */
function deletedFiles(): readonly string[] {
  const listed = execFileSync("ls", ["-l", `/proc/${process.pid}/fd`], { encoding: "utf8" });
  return listed.split("\n").filter((line) => line.includes("ksh-") && line.includes("(deleted)"));
}
