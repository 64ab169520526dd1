import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Executors } from "../src/blocks/executors.ts";
import { IndexFiles } from "../src/blocks/index-files.ts";
import { ExecutorRecord } from "../src/server/executor-record.ts";
import { APPLICATION, fetchBlocks } from "./support/client.ts";
import { registration, start } from "./support/server.ts";
import { indexOf, ShuffleFiles } from "./support/shuffle-files.ts";

const isRoot = process.getuid?.() === 0;

/** Failures of Spark's own service that people have reported. */
describe("public reports", () => {
  test("SPARK-27736: a service that was restarted knows the executors of before", async () => {
    const files = new ShuffleFiles();
    files.writeMap(0, 0, [Buffer.from("block")]);
    const before = await start({}, files);
    await before.registered();
    await before.server.stop(0);
    await using after = await start({}, files);
    const client = await after.client();
    expect(await client.chunk(await client.open("1", [[0, 0]]), 0)).toEqual(Buffer.from("block"));
  });

  test("SPARK-26418: streams that are opened and never read are closed with their connection, and before if they are many", async () => {
    await using running = await start();
    running.files.writeMap(0, 0, [Buffer.from("block")]);
    await running.registered();
    // Each list of blocks takes a megabyte, so thirty of them are more than all clients may hold together.
    const many = Array.from({ length: 65_000 }, () => [0, 0] as const);
    const clients = await Promise.all(Array.from({ length: 30 }, () => running.client()));
    await Promise.allSettled(clients.map((client) => Promise.race([client.open("1", many), client.closed()])));
    expect(running.log.some((line) => line.startsWith("refused (overload)"))).toBe(true);
    for (const client of clients) client.close();
    const client = await running.client();
    expect(await client.chunk(await client.open("1", [[0, 0]]), 0)).toEqual(Buffer.from("block"));
  });

  test("SPARK-30246: streams of an unknown executor are given up with their connection", async () => {
    await using running = await start();
    running.files.writeMap(0, 0, [Buffer.from("block")]);
    for (let round = 0; round < 50; round++) {
      const client = await running.client();
      await client.ask(
        fetchBlocks(
          "gone",
          Array.from({ length: 65_000 }, () => [0, 0] as const),
        ),
      );
      client.close();
      await client.closed();
    }
    const client = await running.registered();
    expect(await client.chunk(await client.open("1", [[0, 0]]), 0)).toEqual(Buffer.from("block"));
    expect(running.log.filter((line) => line.includes("overload"))).toEqual([]);
  });

  test("SPARK-33206, SPARK-33710: many tiny indexes are counted with what they really take", () => {
    const files = new ShuffleFiles();
    const indexes = new IndexFiles();
    for (let map = 0; map < 8_000; map++) {
      const name = `shuffle_0_${map}_0.index`;
      const path = files.write(name, indexOf(0n, 1n)).slice(files.root.length + 1);
      indexes.segment(files.root, path, 0, 1);
    }
    expect(indexes.held).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(indexes.held).toBeGreaterThan(3 * 1024 * 1024);
    files.remove();
  });

  test("SPARK-21501: indexes of 170,000 reducers are not kept at all", () => {
    const files = new ShuffleFiles();
    const indexes = new IndexFiles();
    const large = Buffer.alloc(8 * 170_001);
    for (let at = 0; at <= 170_000; at++) large.writeBigInt64BE(BigInt(at), 8 * at);
    const path = files.write("shuffle_0_0_0.index", large).slice(files.root.length + 1);
    expect(indexes.segment(files.root, path, 169_999, 170_000)).toEqual({ offset: 169_999, length: 1 });
    expect(indexes.held).toBe(0);
    files.remove();
  });

  test.skipIf(isRoot)("auron#1149: a data file that may not be read is a failure in words", async () => {
    await using running = await start();
    running.files.writeMap(0, 0, [Buffer.from("block")]);
    chmodSync(running.files.path("shuffle_0_0_0.data"), 0o000);
    const client = await running.registered();
    expect(await client.chunk(await client.open("1", [[0, 0]]), 0)).toMatch(
      /Failed to open file: .*\nCaused by: EACCES$/,
    );
  });

  test.skipIf(isRoot)("SPARK-37618: blocks that may not be removed are not counted, and stay", async () => {
    await using running = await start();
    running.files.writeMap(0, 0, [Buffer.from("block")]);
    const path = running.files.path("shuffle_0_0_0.data");
    chmodSync(path.replace(/\/[^/]+$/, ""), 0o555);
    const client = await running.registered();
    const blockIds = ["shuffle_0_0_0.data"];
    const answer = await client.ask({ kind: "remove-blocks", application: APPLICATION, executor: "1", blockIds });
    chmodSync(path.replace(/\/[^/]+$/, ""), 0o755);
    expect(answer).toEqual({ kind: "blocks-removed", count: 0 });
    expect(existsSync(path)).toBe(true);
  });
});

describe("the record of executors", () => {
  const recordOf = (files: ShuffleFiles) => `${files.root}/.kindling-shuffle-executors.json`;

  async function read(files: ShuffleFiles): Promise<Executors> {
    const executors = new Executors([{ path: files.root, canonical: files.root }]);
    await new ExecutorRecord([files.root], executors).read();
    return executors;
  }

  test.each(["", "{", "[1]", '[{"application":"a","executor":"1","files":{"localDirs":[1]}}]', "null"])(
    "of %s has nobody in it",
    async (text) => {
      const files = new ShuffleFiles();
      writeFileSync(recordOf(files), text);
      expect((await read(files)).all()).toEqual([]);
      files.remove();
    },
  );

  test("admits only directories that may be registered", async () => {
    const files = new ShuffleFiles();
    const one = registration(files);
    const bad = { ...registration(files, "2"), files: { ...one.files, localDirs: ["/etc"] } };
    writeFileSync(recordOf(files), JSON.stringify([one, bad]));
    expect((await read(files)).all().map(({ executor }) => executor)).toEqual(["1"]);
    files.remove();
  });

  test("does not follow links, neither when it is read nor when it is written", async () => {
    const files = new ShuffleFiles();
    const other = new ShuffleFiles();
    writeFileSync(`${other.root}/record`, JSON.stringify([registration(files)]));
    symlinkSync(`${other.root}/record`, recordOf(files));
    symlinkSync(`${other.root}/record`, `${recordOf(files)}.new`);
    const executors = await read(files);
    expect(executors.all()).toEqual([]);
    await executors.register(APPLICATION, "7", registration(files).files);
    await new ExecutorRecord([files.root], executors).write();
    expect(readFileSync(`${other.root}/record`, "utf8")).not.toContain('"7"');
    expect((await read(files)).all().map(({ executor }) => executor)).toEqual(["7"]);
    expect(readdirSync(files.root).filter((name) => name.endsWith(".new"))).toEqual([]);
    files.remove();
    other.remove();
  });
});
