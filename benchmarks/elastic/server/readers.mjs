// @ts-check
// Readers of shuffle blocks, as cheap as they can be: what the server costs is to be measured. They ask as Spark's clients do,
// for a set of blocks and then for all of its chunks at once, and count the bytes.
//
// node readers.mjs JSON, with port, connections, bytes, and what shuffle-files.mjs has made
import { connect } from "node:net";
import { encodeBlockMessage, encodeTransportRequest } from "@kindling/shuffle-server";

const APPLICATION = "app-1";
const EXECUTOR = "1";
/** Bytes of an answer to FetchShuffleBlocks, and of what stands before each block. */
const HANDLE_BYTES = 34;
const HEADER_BYTES = 21;
/** How much a client asks for at once (spark.reducer.maxSizeInFlight). */
const IN_FLIGHT_BYTES = 48 * 1024 * 1024;

/** @type {{ port: number, connections: number, bytes: number } & import("./shuffle-files.mjs").ShuffleFiles} */
const job = JSON.parse(process.argv[2] ?? "");
// Not at the beginning of a page, where the system would copy slowly.
const buffer = Buffer.allocUnsafeSlow(1024 * 1024 + 64).subarray(64);

/** @param {Buffer} body */
const rpc = (body) => encodeTransportRequest({ kind: "rpc", requestId: 1n, body });

/** @returns {Promise<void>} */
function register() {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: job.port, host: "127.0.0.1" });
    const files = { localDirs: job.localDirs, subDirsPerLocalDir: 64, shuffleManager: "sort" };
    socket.write(
      rpc(encodeBlockMessage({ kind: "register-executor", application: APPLICATION, executor: EXECUTOR, files })),
    );
    socket.once("data", () => resolve(void socket.destroy()));
    socket.once("error", reject);
  });
}

/**
 * Fetches blocks until it has its share of the bytes.
 *
 * @param {number} number of the reader
 * @returns {Promise<number>} the bytes of blocks
 */
function readShare(number) {
  const atOnce = Math.max(1, Math.min(job.maps, Math.floor(IN_FLIGHT_BYTES / job.blockBytes)));
  const share = job.bytes / job.connections;
  let fetched = 0;
  let left = HANDLE_BYTES;
  let isHandle = true;
  let round = number;
  const handle = Buffer.alloc(HANDLE_BYTES);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: job.port, host: "127.0.0.1", onread: { buffer, callback: received } });
    socket.on("error", reject);
    socket.on("close", () => (fetched < share ? reject(new Error("the server closed the connection")) : undefined));
    ask();
    function ask() {
      const mapIds = BigInt64Array.from({ length: atOnce }, (_, index) => BigInt((round + index) % job.maps));
      const reduceIds = Int32Array.from({ length: atOnce }, () => round % job.partitions);
      const reduceCounts = new Int32Array(atOnce).fill(1);
      round += 1;
      const blocks = { shuffleId: 0, mapIds, reduceIds, reduceCounts, isBatch: false };
      socket.write(
        rpc(encodeBlockMessage({ kind: "fetch-shuffle-blocks", application: APPLICATION, executor: EXECUTOR, blocks })),
      );
    }
    /** @param {number} count @param {Uint8Array} bytes */
    function received(count, bytes) {
      if (isHandle) {
        if (count > left) throw new Error("more than was asked for");
        handle.set(bytes.subarray(0, count), HANDLE_BYTES - left);
      }
      left -= count;
      if (left > 0) return true;
      if (isHandle) {
        if (handle[8] !== 4) throw new Error(`an answer of type ${handle[8]}`);
        const streamId = handle.readBigInt64BE(22);
        const asks = Array.from({ length: atOnce }, (_, chunkIndex) =>
          encodeTransportRequest({ kind: "chunk", streamId, chunkIndex }),
        );
        socket.write(Buffer.concat(asks));
        left = atOnce * (HEADER_BYTES + job.blockBytes);
        isHandle = false;
        return true;
      }
      if (left < 0) throw new Error("more than was asked for");
      fetched += atOnce * job.blockBytes;
      left = HANDLE_BYTES;
      isHandle = true;
      if (fetched < share) ask();
      else {
        socket.destroy();
        resolve(fetched);
      }
      return true;
    }
  });
}

await register();
const start = performance.now();
const all = await Promise.all(Array.from({ length: job.connections }, (_, number) => readShare(number)));
const seconds = (performance.now() - start) / 1000;
process.stdout.write(`${JSON.stringify({ bytes: all.reduce((sum, one) => sum + one, 0), seconds })}\n`);
