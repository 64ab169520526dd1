// @ts-check
// A client that sends random and hostile frames, as many as it can, and looks at every byte that comes back.
import { randomBytes } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { blockPlace, ByteWriter, encodeBlockMessage, encodeTransportRequest } from "@kindling/shuffle-server";

const APPLICATION = "app-1";
const CONNECTIONS = 8;
const FRAMES_AT_ONCE = 500;
/** A file outside, which links lead to. */
const MARK = `outside-${randomBytes(16).toString("hex")}`;
const NAMES = [
  "shuffle_0_0_0",
  "rdd_1_1",
  "..",
  "../../outside",
  "shuffle_0_../../../outside_0",
  "a\0b",
  "",
  "broadcast_1",
];
const DIRECTORIES = ["/", "/etc", "/proc/self/root", "..", "relative", ""];
const NUMBERS = [0, 1, -1, 77, 0x7fff_ffff, -0x8000_0000];

/** @template T @param {readonly T[]} values @returns {T} */
function any(values) {
  return /** @type {T} */ (values[Math.floor(Math.random() * values.length)]);
}

/** Maps whose files are links to a file outside. @param {string} root @param {readonly string[]} localDirs */
export function writeTraps(root, localDirs) {
  const outside = `${root}-outside`;
  writeFileSync(outside, MARK.repeat(1_000));
  for (const name of ["shuffle_0_77_0.data", "shuffle_0_1_0.index", "rdd_1_1"]) {
    const { directory, path } = blockPlace(name, localDirs.length, 64);
    const file = join(localDirs[directory] ?? "", path);
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(outside, file);
  }
  return outside;
}

/**
 * Sends frames, and returns how many bytes came back, how many connections the server closed, and how often the file outside
 * was in the bytes.
 *
 * @param {{ port: number, frames: number, localDirs: readonly string[] }} options
 */
export async function attack({ port, frames, localDirs }) {
  const found = { frames: 0, bytes: 0, closed: 0, leaks: 0 };
  const one = async () => {
    while (found.frames < frames) await round(port, localDirs, found);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  return found;
}

/**
 * A connection with some frames. The last one is empty, so the server closes the connection when all others are answered.
 *
 * @param {number} port
 * @param {readonly string[]} localDirs
 * @param {{ frames: number, bytes: number, closed: number, leaks: number }} found
 * @returns {Promise<void>}
 */
function round(port, localDirs, found) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" });
    let tail = Buffer.alloc(0);
    socket.on("connect", () => {
      const all = Array.from({ length: FRAMES_AT_ONCE }, () => frame(localDirs));
      found.frames += all.length;
      socket.write(Buffer.concat([...all, new ByteWriter().long(0n).written()]));
    });
    socket.on("data", (chunk) => {
      found.bytes += chunk.length;
      const seen = Buffer.concat([tail, chunk]);
      if (seen.includes(MARK)) found.leaks += 1;
      tail = seen.subarray(Math.max(0, seen.length - MARK.length));
    });
    socket.on("error", (error) => {
      // A connection that is closed while this end still sends is reset.
      if (!("code" in error) || (error.code !== "ECONNRESET" && error.code !== "EPIPE")) reject(error);
    });
    socket.on("close", () => {
      found.closed += 1;
      resolve();
    });
  });
}

/** @param {readonly string[]} localDirs */
function frame(localDirs) {
  const roll = Math.random();
  // Few, because they close the connection.
  if (roll < 0.0002)
    return new ByteWriter()
      .long(BigInt(any(NUMBERS)))
      .raw(randomBytes(9))
      .written();
  if (roll < 0.0004)
    return new ByteWriter()
      .long(29n)
      .byte(any([0, 1, 3, 6, 9, 10, 11, 99]))
      .raw(randomBytes(20))
      .written();
  if (roll < 0.3) {
    return encodeTransportRequest({ kind: "chunk", streamId: BigInt(any(NUMBERS)), chunkIndex: any(NUMBERS) });
  }
  if (roll < 0.4) {
    const streamId = any(["", "_", "x", "1_0", "../../etc/passwd", `${any(NUMBERS)}_${any(NUMBERS)}`]);
    return encodeTransportRequest({ kind: "stream", streamId });
  }
  const body = roll < 0.5 ? randomBytes(1 + Math.floor(Math.random() * 60)) : message(localDirs);
  return encodeTransportRequest(roll < 0.55 ? { kind: "one-way", body } : { kind: "rpc", requestId: 1n, body });
}

/** @param {readonly string[]} localDirs */
function message(localDirs) {
  const of = { application: any([APPLICATION, "others"]), executor: any(["1", "2", "../1", ""]) };
  const blockIds = Array.from({ length: Math.floor(Math.random() * 4) }, () => any(NAMES));
  switch (any([0, 1, 2, 3, 4, 5])) {
    case 0:
      return encodeBlockMessage({ kind: "open-blocks", ...of, blockIds });
    case 1:
      return encodeBlockMessage({ kind: "remove-blocks", ...of, blockIds });
    case 2: {
      const dirs = Math.random() < 0.5 ? localDirs : [any(DIRECTORIES)];
      const files = { localDirs: dirs, subDirsPerLocalDir: any([64, ...NUMBERS]), shuffleManager: "sort" };
      return encodeBlockMessage({ kind: "register-executor", ...of, files });
    }
    case 3:
      return encodeBlockMessage({ kind: "get-local-dirs", application: of.application, executors: [of.executor] });
    case 4: {
      const which = { shuffleId: 0, mapId: BigInt(any(NUMBERS)), reduceId: any(NUMBERS), checksum: 1n };
      return encodeBlockMessage({
        kind: "diagnose-corruption",
        ...of,
        ...which,
        algorithm: any(["CRC32", "../x", ""]),
      });
    }
    default: {
      const reduceIds = Int32Array.of(any(NUMBERS), any(NUMBERS));
      const blocks = {
        shuffleId: 0,
        mapIds: BigInt64Array.of(BigInt(any(NUMBERS))),
        reduceIds,
        isBatch: Math.random() < 0.5,
      };
      return encodeBlockMessage({
        kind: "fetch-shuffle-blocks",
        ...of,
        blocks: { ...blocks, reduceCounts: Int32Array.of(2) },
      });
    }
  }
}
