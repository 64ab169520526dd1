import { frame } from "@kindling/test-kit/http2-frames";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FLAG, FRAME } from "../src/http2/frame.ts";
import { FrameReader } from "../src/http2/frame-reader.ts";
import { Outgoing } from "../src/http2/outgoing.ts";
import { type Piece, ReadBuffers } from "../src/http2/read-buffers.ts";

interface Sent {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: string;
}

const sent: fc.Arbitrary<Sent> = fc.record({
  type: fc.constantFrom(FRAME.DATA, FRAME.HEADERS, FRAME.SETTINGS, FRAME.PING, 77),
  flags: fc.constantFrom(FLAG.NONE, FLAG.END_STREAM),
  stream: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  payload: fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes).toString("hex")),
});

test("frames are the same however their bytes are cut", () => {
  fc.assert(
    fc.property(fc.array(sent, { maxLength: 10 }), fc.array(fc.integer({ min: 1, max: 60 })), (frames, lengths) => {
      const read: Sent[] = [];
      let parts = "";
      const reader = new FrameReader({
        frame: ({ payload, ...head }) => read.push({ ...head, payload: payload.toString("hex") }),
        data({ stream, piece, endsFrame, endsStream }) {
          parts += piece.bytes.toString("hex");
          if (!endsFrame) return;
          read.push({ type: FRAME.DATA, flags: endsStream ? FLAG.END_STREAM : FLAG.NONE, stream, payload: parts });
          parts = "";
        },
      });
      let rest = Buffer.concat(
        frames.map(({ type, flags, stream, payload }) => frame(type, flags, stream, Buffer.from(payload, "hex"))),
      );
      for (const length of lengths) {
        reader.push(rest.subarray(0, length));
        rest = rest.subarray(length);
      }
      reader.push(rest);
      expect(read).toEqual(frames);
    }),
  );
});

test("data leaves in its order, however much is taken at once", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.nat({ max: 20 })), (texts, amounts) => {
      const outgoing = new Outgoing();
      const released: number[] = [];
      for (const [index, text] of texts.entries())
        outgoing.push({ bytes: Buffer.from(text), release: () => released.push(index) });
      const whole = Buffer.from(texts.join(""));
      const taken: Piece[] = [];
      for (const amount of [...amounts, whole.length]) taken.push(...outgoing.take(amount));
      expect(Buffer.concat(taken.map(({ bytes }) => bytes))).toEqual(whole);
      expect(outgoing.length).toBe(0);
      for (const { release } of taken) release?.();
      // Each memory is given back once, with the last of its bytes.
      expect(released).toEqual(texts.flatMap((text, index) => (text === "" ? [] : [index])));
    }),
  );
});

describe("memory", () => {
  test("is read into again only when all of its pieces have left", () => {
    const buffers = new ReadBuffers();
    const memory = buffers.next();
    const { lease } = buffers.read(memory, memory.length);
    const [first, second] = [lease?.use(), lease?.use()];
    lease?.end();
    first?.();
    first?.();
    expect(buffers.next() === memory).toBe(false);
    second?.();
    expect(buffers.next()).toBe(memory);
  });

  test("with a piece that never leaves is not read into again", () => {
    const buffers = new ReadBuffers();
    const memory = buffers.next();
    const { lease } = buffers.read(memory, memory.length);
    lease?.use();
    lease?.end();
    expect(buffers.next() === memory).toBe(false);
  });

  test("with little in it is free at once, and what was in it stays", () => {
    const buffers = new ReadBuffers();
    const memory = buffers.next();
    memory.write("little");
    const { bytes } = buffers.read(memory, 6);
    expect(buffers.next()).toBe(memory);
    memory.fill(0);
    expect(bytes.toString()).toBe("little");
  });
});
