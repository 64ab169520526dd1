import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ByteReader,
  ByteWriter,
  decodeBlockMessage,
  decodeTransportAnswer,
  decodeTransportRequest,
  encodeBlockMessage,
  encodeTransportAnswer,
  encodeTransportRequest,
  FrameReader,
  MalformedError,
  Texts,
} from "../src/index.ts";

const int = fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff });
const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const text = fc.string({ unit: "grapheme", maxLength: 40 });
const bytes = fc.uint8Array({ maxLength: 100 }).map((value) => Buffer.from(value));
const kind = <K extends string>(value: K) => fc.constant(value);

const request = fc.oneof(
  fc.record({ kind: kind("chunk"), streamId: long, chunkIndex: int }),
  fc.record({ kind: kind("rpc"), requestId: long, body: bytes }),
  fc.record({ kind: kind("stream"), streamId: text }),
  fc.record({ kind: kind("one-way"), body: bytes }),
  fc.record({ kind: kind("upload"), requestId: long, meta: bytes, bodyLength: long }),
  fc.record({
    kind: kind("merged-block-meta"),
    requestId: long,
    application: text,
    shuffleId: int,
    shuffleMergeId: int,
    reduceId: int,
  }),
);

const ofExecutor = { application: text, executor: text };
const fetched = fc
  .record({
    shuffleId: int,
    isBatch: fc.boolean(),
    maps: fc.array(fc.tuple(long, fc.array(int, { maxLength: 5 })), { minLength: 1, maxLength: 8 }),
  })
  .map(({ shuffleId, isBatch, maps }) => {
    const lists = maps.map(([, list]) => (isBatch ? [...list, 1, 2].slice(0, 2) : list));
    return {
      shuffleId,
      isBatch,
      mapIds: BigInt64Array.from(maps, ([map]) => map),
      reduceIds: Int32Array.from(lists.flat()),
      reduceCounts: Int32Array.from(lists, ({ length }) => length),
    };
  });
const message = fc.oneof(
  fc.record({ kind: kind("open-blocks"), ...ofExecutor, blockIds: fc.array(text) }),
  fc.record({ kind: kind("remove-blocks"), ...ofExecutor, blockIds: fc.array(text) }),
  fc.record({
    kind: kind("register-executor"),
    ...ofExecutor,
    files: fc.record({ localDirs: fc.array(text), subDirsPerLocalDir: int, shuffleManager: text }),
  }),
  fc.record({ kind: kind("fetch-shuffle-blocks"), ...ofExecutor, blocks: fetched }),
  fc.record({ kind: kind("stream-handle"), streamId: long, chunks: int }),
  fc.record({ kind: kind("blocks-removed"), count: int }),
  fc.record({ kind: kind("get-local-dirs"), application: text, executors: fc.array(text) }),
  fc.record({
    kind: kind("local-dirs"),
    dirs: fc.array(fc.tuple(text, fc.array(text))).map((entries) => new Map(entries)),
  }),
  fc.record({
    kind: kind("diagnose-corruption"),
    ...ofExecutor,
    shuffleId: int,
    mapId: long,
    reduceId: int,
    checksum: long,
    algorithm: text,
  }),
  fc.record({ kind: kind("corruption-cause"), cause: fc.integer({ min: 0, max: 4 }) }),
);

describe("requests, answers and messages", () => {
  test("a request is read as it was written", () => {
    fc.assert(
      fc.property(request, (value) => {
        const reader = new FrameReader();
        reader.push(encodeTransportRequest(value));
        expect(decodeTransportRequest(reader.next() ?? Buffer.alloc(0))).toEqual(value);
        expect(reader.held).toBe(0);
      }),
    );
  });

  test("a message is read as it was written", () => {
    fc.assert(
      fc.property(message, (value) => {
        const read = decodeBlockMessage(encodeBlockMessage(value));
        const lists = Object.entries(read).map(([name, part]) => [name, part instanceof Texts ? [...part] : part]);
        expect(Object.fromEntries(lists)).toEqual(value);
      }),
    );
  });

  test("an answer is read as it was written", () => {
    const answer = fc.oneof(
      fc.record({ kind: kind("rpc"), requestId: long, body: bytes }),
      fc.record({ kind: kind("rpc-failure"), requestId: long, error: text }),
      fc.record({ kind: kind("chunk-failure"), streamId: long, chunkIndex: int, error: text }),
      fc.record({ kind: kind("stream"), streamId: text, bodyLength: fc.nat() }),
      fc.record({ kind: kind("stream-failure"), streamId: text, error: text }),
    );
    fc.assert(
      fc.property(answer, (value) => {
        expect(decodeTransportAnswer(encodeTransportAnswer(value).subarray(8))).toEqual(value);
      }),
    );
  });

  test("a message that is cut or changed is read or refused, without another error", () => {
    fc.assert(
      fc.property(message, fc.nat(), fc.nat({ max: 255 }), fc.nat(), (value, at, byte, cut) => {
        const body = Buffer.from(encodeBlockMessage(value));
        body[at % body.length] = byte;
        const read = () => decodeBlockMessage(body.subarray(0, cut % (body.length + 1)));
        expect(outcome(read)).toBe("read or refused");
      }),
    );
  });

  test("a length is not believed: nothing is allocated for it", () => {
    const lies = [0x7fff_ffff, -1, 1_000_000].map((length) => new ByteWriter().int(length).int(0).written());
    for (const lie of lies) {
      expect(() => new ByteReader(lie).texts()).toThrow(MalformedError);
      expect(() => new ByteReader(lie).longs()).toThrow(MalformedError);
      expect(() => new ByteReader(lie).intLists()).toThrow(MalformedError);
      expect(() => new ByteReader(lie).bytes()).toThrow(MalformedError);
    }
  });
});

describe("frames", () => {
  test("frames are the same however their bytes come", () => {
    fc.assert(
      fc.property(fc.array(request, { maxLength: 10 }), fc.array(fc.integer({ min: 1, max: 50 })), (values, cuts) => {
        const all = Buffer.concat(values.map((value) => encodeTransportRequest(value)));
        const reader = new FrameReader();
        const found = [];
        let at = 0;
        while (at < all.length) {
          const end = at + (cuts[found.length % Math.max(1, cuts.length)] ?? 7);
          reader.push(Buffer.from(all.subarray(at, end)));
          at = end;
          for (let frame = reader.next(); frame !== undefined; frame = reader.next()) {
            found.push(decodeTransportRequest(frame));
          }
        }
        expect(found).toEqual(values);
        expect(reader.held).toBe(0);
      }),
    );
  });

  test("a long frame in single bytes is read in time", () => {
    const frame = encodeTransportRequest({ kind: "rpc", requestId: 1n, body: Buffer.alloc(40_000, 7) });
    const reader = new FrameReader();
    const early: (Buffer | undefined)[] = [];
    for (let at = 0; at < frame.length - 1; at++) {
      reader.push(Buffer.from(frame.subarray(at, at + 1)));
      early.push(reader.next());
    }
    reader.push(frame.subarray(frame.length - 1));
    expect(reader.next()).toEqual(frame.subarray(8));
    expect(early.every((one) => one === undefined)).toBe(true);
  });

  test.each([
    ["empty", 8n],
    ["negative", -1n],
    ["larger than the limit", 5n * 1024n * 1024n],
    ["larger than a number can be exact", 2n ** 62n],
  ])("a frame whose length is %s is refused when its length is there", (_, length) => {
    const reader = new FrameReader();
    reader.push(new ByteWriter().long(length).written());
    expect(() => reader.next()).toThrow(MalformedError);
  });
});

function outcome(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
  }
  return "read or refused";
}
