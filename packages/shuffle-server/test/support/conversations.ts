import { rmSync, symlinkSync, truncateSync } from "node:fs";
import {
  encodeBlockMessage,
  encodeTransportRequest,
  ByteWriter,
  type TransportRequest,
  type WrittenMessage,
} from "../../src/index.ts";
import { APPLICATION, fetchBlocks } from "./client.ts";
import { registration } from "./server.ts";
import { indexOf, type ShuffleFiles } from "./shuffle-files.ts";

/** What a client sends at once; `handles` are the ids of the streams that it has opened so far. */
export interface Exchange {
  readonly name: string;
  readonly send: (handles: readonly bigint[], files: ShuffleFiles) => Buffer;
  /** Changes files before. */
  readonly before?: (files: ShuffleFiles) => void;
}

/** What one connection sends, one after the other. */
export interface Conversation {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
}

type Sent = Exclude<TransportRequest, { kind: "unasked-answer" }>;
type Message = WrittenMessage;

let requestId = 0n;
const bytes = (...sent: readonly Sent[]): Buffer => Buffer.concat(sent.map((one) => encodeTransportRequest(one)));
const rpcBytes = (body: Buffer): Buffer => bytes({ kind: "rpc", requestId: (requestId += 1n), body });

const rpc = (
  name: string,
  message: Message | ((files: ShuffleFiles) => Message),
  before?: Exchange["before"],
): Exchange => ({
  name,
  send: (_, files) => rpcBytes(encodeBlockMessage(typeof message === "function" ? message(files) : message)),
  ...(before !== undefined && { before }),
});
const rpcBody = (name: string, body: Buffer): Exchange => ({ name, send: () => rpcBytes(body) });
const register = rpc("register", (files) => registration(files));
const chunks = (name: string, handle: number, ...indexes: readonly number[]): Exchange => ({
  name,
  send: (handles) =>
    bytes(...indexes.map((chunkIndex) => ({ kind: "chunk", streamId: handles[handle] ?? 0n, chunkIndex }) as const)),
});
const streams = (name: string, handle: number, ...indexes: readonly number[]): Exchange => ({
  name,
  send: (handles) =>
    bytes(...indexes.map((index) => ({ kind: "stream", streamId: `${handles[handle] ?? 0n}_${index}` }) as const)),
});
const fetch = (...blocks: readonly (readonly [number, number])[]): Message => fetchBlocks("1", blocks);
const openBlocks = (...blockIds: readonly string[]): Message => ({
  kind: "open-blocks",
  application: APPLICATION,
  executor: "1",
  blockIds,
});
const remove = (...blockIds: readonly string[]): Message =>
  ({ ...openBlocks(...blockIds), kind: "remove-blocks" }) as Message;
const batch = (
  executor: string,
  ...lists: readonly (readonly [map: number, start: number, end: number])[]
): Message => ({
  ...fetchBlocks(executor, []),
  blocks: {
    shuffleId: 0,
    mapIds: BigInt64Array.from(lists, ([map]) => BigInt(map)),
    reduceIds: Int32Array.from(lists.flatMap(([, start, end]) => [start, end])),
    reduceCounts: new Int32Array(lists.length).fill(2),
    isBatch: true,
  },
});
const diagnose = (map: number, reduce: number, checksum: bigint, algorithm: string): Message => ({
  kind: "diagnose-corruption",
  application: APPLICATION,
  executor: "1",
  shuffleId: 0,
  mapId: BigInt(map),
  reduceId: reduce,
  checksum,
  algorithm,
});
const localDirs = (...executors: readonly string[]): Message => ({
  kind: "get-local-dirs",
  application: APPLICATION,
  executors,
});

/** The files that all conversations begin with. */
export function writeFiles(files: ShuffleFiles): void {
  const block = (text: string) => Buffer.from(text);
  files.writeMap(0, 0, [block("map 0, partition 0"), block(""), block("two"), block("three!")], "ADLER32");
  files.writeMap(0, 1, [block("map 1, partition 0"), block("1"), block(""), block("")], "CRC32");
  files.writeMap(0, 7_000_000_000n, [block("a large id")]);
  files.writeMap(0, 3, [block("x".repeat(300_000)), block("after a large one")], "CRC32C");
  files.write("rdd_5_1", block("a block of an RDD"));
}

/** Conversations with Spark's service, and with ours. */
export const CONVERSATIONS: readonly Conversation[] = [
  {
    name: "register and fetch",
    exchanges: [
      register,
      rpc("open", fetch([0, 0], [1, 0], [0, 3], [0, 1])),
      chunks("all chunks at once", 0, 0, 1, 2, 3),
      chunks("a chunk of a finished stream", 0, 4),
      rpc("open two", fetch([0, 2])),
      chunks("one chunk", 1, 0),
      rpc("a large block", fetch([3, 0], [3, 1])),
      chunks("its chunks", 2, 0, 1),
    ],
  },
  {
    name: "fetch as streams",
    exchanges: [
      register,
      rpc("open", fetch([0, 0], [0, 1], [3, 0])),
      streams("streams", 0, 0, 1, 2),
      streams("a finished one", 0, 3),
      { name: "a name that is no number", send: () => bytes({ kind: "stream", streamId: "jars/a.jar" }) },
      { name: "a number without a chunk", send: () => bytes({ kind: "stream", streamId: "12" }) },
      { name: "an unknown one", send: () => bytes({ kind: "stream", streamId: "12_0" }) },
    ],
  },
  {
    name: "several maps and partitions",
    exchanges: [
      register,
      rpc("two partitions of a map", {
        ...fetchBlocks("1", []),
        blocks: {
          shuffleId: 0,
          mapIds: BigInt64Array.of(0n, 7_000_000_000n),
          reduceIds: Int32Array.of(3, 0, 2, 0),
          reduceCounts: Int32Array.of(3, 1),
          isBatch: false,
        },
      }),
      chunks("chunks", 0, 0, 1, 2, 3),
      rpc("batch", batch("1", [0, 0, 4], [1, 0, 2], [0, 2, 2])),
      chunks("chunks of the batch", 1, 0, 1, 2),
    ],
  },
  {
    name: "old messages",
    exchanges: [
      register,
      rpc("open", openBlocks("shuffle_0_0_0", "shuffle_0_1_1", "shuffle_0_0_3")),
      chunks("chunks", 0, 0, 1, 2),
      rpc("blocks of an RDD", openBlocks("rdd_5_1", "rdd_5_2", "rdd_5_1")),
      chunks("chunks of the RDD", 1, 0, 1, 2),
      rpc("blocks of an RDD as streams", openBlocks("rdd_5_1", "rdd_5_2")),
      streams("streams of the RDD", 2, 0, 1),
      rpc("no blocks", openBlocks()),
      rpc("an unknown kind", openBlocks("broadcast_0")),
      rpc("another kind after the first", openBlocks("shuffle_0_0_0", "rdd_5_1")),
      rpc("another shuffle after the first", openBlocks("shuffle_0_0_0", "shuffle_1_0_0")),
      rpc("no number", openBlocks("shuffle_0_0_x")),
      rpc("a path", openBlocks("shuffle_0_../../x_0")),
      rpc("a large number", openBlocks("shuffle_0_7000000000_0")),
    ],
  },
  {
    name: "wrong chunks",
    exchanges: [
      register,
      rpc("open", fetch([0, 0], [0, 2])),
      chunks("the second first", 0, 1),
      chunks("then in order", 0, 0, 1),
      { name: "an unknown stream", send: () => bytes({ kind: "chunk", streamId: 42n, chunkIndex: 0 }) },
      rpc("an unknown map", fetch([9, 0], [0, 0])),
      chunks("its chunks", 1, 0, 1, 2),
    ],
  },
  {
    name: "unknown executors",
    exchanges: [
      rpc("open", fetchBlocks("unknown", [[0, 0]])),
      chunks("its chunk", 0, 0),
      rpc("remove", { kind: "remove-blocks", application: APPLICATION, executor: "unknown", blockIds: [] }),
      rpc("directories", localDirs("unknown")),
    ],
  },
  {
    name: "local directories",
    exchanges: [
      register,
      ...["driver", "2", "17", "executor with a long name"].map((executor) =>
        rpc(`register ${executor}`, (files) => registration(files, executor)),
      ),
      rpc("of one", localDirs("1")),
      rpc("of none", localDirs()),
      rpc("of several", localDirs("17", "1", "executor with a long name", "driver", "2")),
      rpc("of the merger", localDirs("1", "shuffle-push-merger")),
    ],
  },
  {
    name: "a wrong directory",
    exchanges: [
      rpc("outside", (files) => ({
        ...registration(files),
        files: { localDirs: ["/usr"], subDirsPerLocalDir: 64, shuffleManager: "sort" },
      })),
      rpc("empty", (files) => ({
        ...registration(files),
        files: { localDirs: [""], subDirsPerLocalDir: 64, shuffleManager: "sort" },
      })),
      rpc("up and outside", (files) => ({
        ...registration(files),
        files: { localDirs: [`${files.root}/../../usr`], subDirsPerLocalDir: 64, shuffleManager: "sort" },
      })),
    ],
  },
  {
    name: "corruption",
    exchanges: [
      register,
      rpc("passes", diagnose(0, 2, 0x02_9d_01_5bn, "ADLER32")),
      rpc("another checksum of the reader", diagnose(0, 2, 1n, "ADLER32")),
      rpc("CRC32", diagnose(1, 1, 0x83dc_efb7n, "CRC32")),
      rpc("CRC32C", diagnose(3, 1, 1n, "CRC32C")),
      rpc("without a file of checksums", diagnose(0, 2, 1n, "CRC32")),
      rpc("an unknown algorithm", diagnose(0, 2, 1n, "MD5")),
      rpc("no such partition", diagnose(0, 4, 1n, "ADLER32")),
      rpc("no such map", diagnose(9, 4, 1n, "ADLER32")),
      rpc("a changed byte", diagnose(0, 3, 1n, "ADLER32"), (files) =>
        files.write("shuffle_0_0_0.data", Buffer.from("map 0, partition 0twothree?")),
      ),
    ],
  },
  {
    name: "remove blocks",
    exchanges: [
      register,
      rpc("one that is not there", remove("shuffle_9_9_0.data")),
      rpc("an RDD", remove("rdd_5_1", "rdd_5_9")),
      rpc("names that lead elsewhere", remove("../x", "a/b", "..", ".", "", "\\")),
      rpc("a map", remove("shuffle_0_1_0.data", "shuffle_0_1_0.index", "shuffle_0_1_0.checksum.CRC32")),
      rpc("again", remove("shuffle_0_1_0.data", "shuffle_0_1_0.index")),
    ],
  },
  {
    name: "damaged files",
    exchanges: [
      register,
      rpc("no data", fetch([20, 0]), (files) => {
        files.writeMap(0, 20, [Buffer.from("gone")]);
        rmSync(files.path("shuffle_0_20_0.data"));
      }),
      chunks("its chunk", 0, 0),
    ],
  },
  {
    name: "short data",
    exchanges: [
      register,
      rpc("a shorter file", fetch([21, 1]), (files) => {
        files.writeMap(0, 21, [Buffer.from("here"), Buffer.from("not here")]);
        truncateSync(files.path("shuffle_0_21_0.data"), 4);
      }),
      chunks("its chunk", 0, 0),
    ],
  },
  {
    name: "an index that lies",
    exchanges: [
      register,
      rpc("an odd size", fetch([22, 0], [22, 1]), (files) => {
        files.writeMap(0, 22, [Buffer.from("one"), Buffer.from("two")]);
        files.write("shuffle_0_22_0.index", Buffer.concat([indexOf(0n, 3n), Buffer.from("odd")]));
      }),
      chunks("its chunks", 0, 0, 1),
      rpc("falling numbers", fetch([23, 0]), (files) => {
        files.writeMap(0, 23, [Buffer.from("one")]);
        files.write("shuffle_0_23_0.index", indexOf(3n, 0n));
      }),
      chunks("the chunk of falling numbers", 1, 0),
      rpc("an empty index", fetch([24, 0]), (files) => {
        files.writeMap(0, 24, [Buffer.from("one")]);
        files.write("shuffle_0_24_0.index", Buffer.alloc(0));
      }),
      chunks("the chunk of an empty index", 2, 0),
      rpc("a negative partition", fetch([0, -1])),
      chunks("the chunk of a negative partition", 3, 0),
    ],
  },
  {
    name: "links",
    exchanges: [
      register,
      rpc("a link to a file outside", fetch([25, 0]), (files) => {
        files.writeMap(0, 25, [Buffer.from("inside")]);
        rmSync(files.path("shuffle_0_25_0.data"));
        symlinkSync("/etc/passwd", files.path("shuffle_0_25_0.data"));
      }),
      chunks("its chunk", 0, 0),
    ],
  },
  {
    name: "messages that are not for this service",
    exchanges: [
      rpcBody("an unknown type", Buffer.from([99])),
      rpcBody("a negative type", Buffer.from([0xff])),
      rpcBody("an empty message", Buffer.alloc(0)),
      rpcBody("a short message", Buffer.from([0, 0, 0])),
      rpc("a handle", { kind: "stream-handle", streamId: 1n, chunks: 1 }),
      rpcBody("finalize a merge", new ByteWriter().byte(13).text(APPLICATION).int(0).int(0).int(0).written()),
      rpcBody("remove a merge", new ByteWriter().byte(19).text(APPLICATION).int(0).int(0).int(0).written()),
      rpcBody(
        "merged chunks",
        new ByteWriter().byte(15).text(APPLICATION).text("1").int(0).int(0).ints([4]).int(1).ints([0]).written(),
      ),
      chunks("a merged chunk", 0, 0),
      {
        name: "meta of merged blocks",
        send: () =>
          bytes({
            kind: "merged-block-meta",
            requestId: 77n,
            application: APPLICATION,
            shuffleId: 0,
            shuffleMergeId: 0,
            reduceId: 0,
          }),
      },
      {
        name: "a one-way message, and a request",
        send: (_, files) =>
          Buffer.concat([
            bytes({ kind: "one-way", body: encodeBlockMessage(registration(files, "one-way")) }),
            rpcBytes(encodeBlockMessage(localDirs("one-way"))),
          ]),
      },
      {
        name: "answers that nobody asked for, and a request",
        send: () =>
          Buffer.concat([
            new ByteWriter().long(25n).byte(4).long(5n).int(4).int(0).written(),
            new ByteWriter().long(21n).byte(1).long(5n).int(4).written(),
            rpcBytes(encodeBlockMessage(localDirs())),
          ]),
      },
    ],
  },
  {
    name: "a length that lies",
    exchanges: [rpcBody("a length that lies", new ByteWriter().byte(7).int(0x7fff_ffff).written())],
  },
  {
    name: "a negative length",
    exchanges: [rpcBody("a negative length", new ByteWriter().byte(7).int(-1).written())],
  },
  ...[
    {
      name: "a push of a block",
      body: new ByteWriter().byte(12).text(APPLICATION).ints([]).raw(Buffer.alloc(24)).written(),
    },
    { name: "an upload", body: new ByteWriter().byte(6).text("rdd_1_1").bytes(Buffer.alloc(0)).written() },
  ].map(({ name, body }) => ({
    name,
    exchanges: [
      {
        name,
        send: () =>
          Buffer.concat([bytes({ kind: "upload", requestId: 3n, meta: body, bodyLength: 5n }), Buffer.from("bytes")]),
      },
    ],
  })),
  ...[
    { name: "an unknown type of frame", frame: new ByteWriter().long(9n).byte(77).written() },
    { name: "an empty frame", frame: new ByteWriter().long(8n).written() },
    { name: "a frame with a negative length", frame: new ByteWriter().long(-5n).byte(0).written() },
    { name: "a short request", frame: new ByteWriter().long(10n).byte(0).byte(0).written() },
  ].map(({ name, frame }) => ({ name, exchanges: [{ name, send: () => frame }] })),
];

/** Ids of requests begin anew, so that a conversation has the same bytes each time. */
export function beginConversation(): void {
  requestId = 0n;
}
