import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { onTestFinished, describe, expect, test } from "vitest";
import { ByteWriter } from "../src/index.ts";
import { APPLICATION, Client } from "./support/client.ts";
import { registration } from "./support/server.ts";
import { ShuffleFiles } from "./support/shuffle-files.ts";

const COMMAND = fileURLToPath(new URL("../dist/kindling-shuffle-server.cjs", import.meta.url));
const MEGABYTE = 1024 * 1024;

interface Started {
  readonly child: ChildProcess;
  readonly port: number;
  readonly files: ShuffleFiles;
  readonly labelsFile: string;
  readonly log: () => string;
  readonly exit: Promise<number | null>;
  readonly client: () => Promise<Client>;
}

/** The command with files of its own, as soon as `wait` has returned. */
async function started(env: Record<string, string> = {}, prepare: (started: ShuffleFiles) => void = () => undefined) {
  const files = new ShuffleFiles();
  prepare(files);
  const port = await freePort();
  const labelsFile = `${files.root}/labels/labels`;
  const all = {
    KINDLING_SHUFFLE_LOCAL_DIRS: files.localDirs.join(","),
    KINDLING_SHUFFLE_PORT: String(port),
    KINDLING_SHUFFLE_LABELS_FILE: labelsFile,
    ...env,
  };
  const child = spawn(process.execPath, [COMMAND], { env: all, stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  const exit = once(child, "close").then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exit;
    files.remove();
  });
  const client = async () => {
    const next = await Client.connect(port);
    onTestFinished(() => next.close());
    return next;
  };
  return { child, port, files, labelsFile, log: () => log, exit, client } satisfies Started;
}

function wait(port: number): number | null {
  return spawnSync(process.execPath, [COMMAND, "wait"], { env: { KINDLING_SHUFFLE_PORT: String(port) } }).status;
}

/** As the kubelet does it: a new folder, and a link that is exchanged. */
function writeLabels(files: ShuffleFiles, name: string, labels: string): void {
  const folder = `${files.root}/labels`;
  mkdirSync(`${folder}/${name}`, { recursive: true });
  writeFileSync(`${folder}/${name}/labels`, labels);
  symlinkSync(name, `${folder}/..data.new`);
  renameSync(`${folder}/..data.new`, `${folder}/..data`);
  if (name === "first") symlinkSync("..data/labels", `${folder}/labels`);
}

const PLAIN = 'spark-exec-id="1"\nspark-role="executor"';
const KEEPER = `${PLAIN}\ngateway.kindling/keeper="true"`;

describe("the command", () => {
  test("serves, after wait has returned", async () => {
    const { port, files, client, log } = await started({}, (written) => written.writeMap(0, 0, [Buffer.from("block")]));
    expect(wait(port)).toBe(0);
    const one = await client();
    await one.ask(registration(files));
    expect(await one.chunk(await one.open("1", [[0, 0]]), 0)).toEqual(Buffer.from("block"));
    expect(log()).toBe(`kindling-shuffle-server: serves ${files.localDirs.join(", ")} on port ${port}\n`);
  });

  test.each([
    [{}, "KINDLING_SHUFFLE_LOCAL_DIRS must name the executor's local directories, separated by commas"],
    [
      { KINDLING_SHUFFLE_LOCAL_DIRS: "relative" },
      'KINDLING_SHUFFLE_LOCAL_DIRS must have absolute paths below / without .., not "relative"',
    ],
    [{ KINDLING_SHUFFLE_LOCAL_DIRS: "/" }, "KINDLING_SHUFFLE_LOCAL_DIRS must have absolute paths below /"],
    [{ KINDLING_SHUFFLE_LOCAL_DIRS: "/a/../etc" }, "without .., not"],
    [
      { KINDLING_SHUFFLE_LOCAL_DIRS: "/not/there" },
      "KINDLING_SHUFFLE_LOCAL_DIRS names /not/there, which cannot be read (ENOENT)",
    ],
    [
      { KINDLING_SHUFFLE_LOCAL_DIRS: "/tmp", KINDLING_SHUFFLE_PORT: "70000" },
      'KINDLING_SHUFFLE_PORT must be a port from 1 to 65535, not "70000"',
    ],
    [
      { KINDLING_SHUFFLE_LOCAL_DIRS: "/tmp", KINDLING_SHUFFLE_LABELS_FILE: "x" },
      "KINDLING_SHUFFLE_LABELS_FILE must be an absolute path",
    ],
    [
      { KINDLING_SHUFFLE_LOCAL_DIRS: "/tmp", KINDLING_SHUFFLE_RDD_BLOCKS: "1" },
      "KINDLING_SHUFFLE_RDD_BLOCKS must be true or false",
    ],
  ])("says what is wrong with %o", (env, message) => {
    const { status, stderr } = spawnSync(process.execPath, [COMMAND], { env, encoding: "utf8" });
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  test("says that its port is taken", async () => {
    const { port, files } = await started();
    expect(wait(port)).toBe(0);
    const env = { KINDLING_SHUFFLE_LOCAL_DIRS: files.root, KINDLING_SHUFFLE_PORT: String(port) };
    const { status, stderr } = spawnSync(process.execPath, [COMMAND], { env, encoding: "utf8" });
    expect(status).toBe(2);
    expect(stderr).toMatch(/port \d+ cannot be opened: .*EADDRINUSE[^]*spark.shuffle.service.port/);
  });

  test("says how it is used", () => {
    const help = spawnSync(process.execPath, [COMMAND, "--help"], { encoding: "utf8" });
    expect([help.status, help.stdout]).toEqual([0, expect.stringContaining("kindling-shuffle-server wait")]);
    const wrong = spawnSync(process.execPath, [COMMAND, "start"], { encoding: "utf8" });
    expect([wrong.status, wrong.stderr]).toEqual([2, help.stdout]);
  });

  test("ends at once after SIGTERM if nobody fetches", async () => {
    const { child, port, exit, client } = await started();
    expect(wait(port)).toBe(0);
    const idle = await client();
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
    await idle.closed();
  });

  test("gives open answers time after SIGTERM", async () => {
    const { child, port, exit, files, client } = await started({}, (written) =>
      written.writeMap(0, 0, [Buffer.alloc(60 * MEGABYTE, 7)]),
    );
    expect(wait(port)).toBe(0);
    const one = await client();
    await one.ask(registration(files));
    const streamId = await one.open("1", [[0, 0]]);
    one.socket.pause();
    one.send({ kind: "chunk", streamId, chunkIndex: 0 });
    // The first bytes are there, so the answer has begun.
    await once(one.socket, "readable");
    child.kill("SIGTERM");
    one.socket.resume();
    const answer = await one.answer();
    expect(answer.kind === "chunk" ? answer.body.length : answer.kind).toBe(60 * MEGABYTE);
    expect(await exit).toBe(0);
  });
});

describe("large requests of hostile clients, in a small heap", () => {
  const FLAGS = { NODE_OPTIONS: "--max-old-space-size=24 --max-semi-space-size=1" };
  const MOST = 4 * MEGABYTE - 100;
  const of = (type: number) => new ByteWriter(MOST).byte(type).text(APPLICATION).text("1");
  /** A list of texts of this length, as long as a frame may be. */
  const list = (writer: ByteWriter, text: string) => {
    const count = Math.floor((MOST - 100) / (4 + text.length));
    writer.int(count);
    for (let one = 0; one < count; one++) writer.text(text);
    return writer.written();
  };
  const lists = (maps: number) => {
    const writer = of(9).int(0).longs(new BigInt64Array(maps));
    return writer.intLists(new Int32Array(maps), new Int32Array(maps).fill(1)).boolean(false).written();
  };

  test.each([
    ["blocks without names", () => list(of(0), "")],
    ["blocks with short names", () => list(of(0), "shuffle_0_0_0")],
    ["blocks of RDDs", () => list(of(0), "rdd_1_1")],
    ["names to remove", () => list(of(7), "")],
    ["directories", () => list(of(2), "")],
    ["executors", () => list(new ByteWriter(MOST).byte(10).text(APPLICATION), "")],
    ["blocks of shuffles", () => lists(250_000)],
    [
      "maps without partitions",
      () =>
        of(9)
          .int(0)
          .longs(new BigInt64Array(300_000))
          .int(300_000)
          .raw(Buffer.alloc(1_200_000))
          .boolean(false)
          .written(),
    ],
  ])("%s", async (_, body) => {
    const { port, client, child, files } = await started(FLAGS);
    expect(wait(port)).toBe(0);
    const one = await client();
    await one.ask(registration(files));
    // Several at once, and the last one is answered: the server has neither ended nor forgotten.
    const hostile = await Promise.all(Array.from({ length: 6 }, () => client()));
    const bytes = body();
    await Promise.allSettled(hostile.map((other) => Promise.race([other.askBytes(bytes), other.closed()])));
    expect(await one.ask({ kind: "get-local-dirs", application: APPLICATION, executors: ["1"] })).toBeDefined();
    expect(child.exitCode).toBeNull();
    const [, peak = "0"] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid ?? 0}/status`, "utf8")) ?? [];
    expect(Number(peak) / 1024).toBeLessThan(110);
  });
});

describe("a keeper", () => {
  test("ends when the label comes, if no file is left", async () => {
    const { port, files, exit } = await started({}, (written) => writeLabels(written, "first", PLAIN));
    expect(wait(port)).toBe(0);
    writeLabels(files, "second", KEEPER);
    expect(await exit).toBe(0);
  });

  test("ends at its start if the executor has ended before, and left nothing", async () => {
    const { exit } = await started({}, (written) => {
      writeLabels(written, "first", KEEPER);
      written.write("temp_shuffle_1-2-3", Buffer.from("not served"));
      written.write("rdd_1_1", Buffer.from("not served, without the setting"));
    });
    expect(await exit).toBe(0);
  });

  test("serves until the last file is removed", async () => {
    const { port, files, exit, client } = await started({}, (written) => {
      writeLabels(written, "first", KEEPER);
      written.writeMap(0, 0, [Buffer.from("first")], "ADLER32");
      written.writeMap(0, 1, [Buffer.from("second")]);
    });
    expect(wait(port)).toBe(0);
    const one = await client();
    await one.ask(registration(files));
    const remove = (map: number, ...endings: readonly string[]) =>
      one.ask({
        kind: "remove-blocks",
        application: APPLICATION,
        executor: "1",
        blockIds: endings.map((ending) => `shuffle_0_${map}_0.${ending}`),
      });
    await remove(0, "data", "index");
    await remove(1, "data", "index");
    // The file of checksums is left.
    expect(await one.ask({ kind: "get-local-dirs", application: APPLICATION, executors: [] })).toBeDefined();
    expect(await remove(0, "checksum.ADLER32")).toEqual({ kind: "blocks-removed", count: 1 });
    expect(await exit).toBe(0);
  });

  test("with blocks of RDDs, these count too", async () => {
    const { port, files, exit, client } = await started({ KINDLING_SHUFFLE_RDD_BLOCKS: "true" }, (written) => {
      writeLabels(written, "first", KEEPER);
      written.write("rdd_1_1", Buffer.from("a block"));
    });
    expect(wait(port)).toBe(0);
    const one = await client();
    await one.ask(registration(files));
    await one.ask({ kind: "remove-blocks", application: APPLICATION, executor: "1", blockIds: ["rdd_1_1"] });
    expect(await exit).toBe(0);
  });

  test("finds files that others have removed when the labels change again", async () => {
    const { port, files, exit } = await started({}, (written) => {
      writeLabels(written, "first", KEEPER);
      written.writeMap(0, 0, [Buffer.from("block")]);
    });
    expect(wait(port)).toBe(0);
    for (const directory of files.localDirs) rmSync(directory, { recursive: true });
    writeLabels(files, "second", `${KEEPER}\nmore="labels"`);
    expect(await exit).toBe(0);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
