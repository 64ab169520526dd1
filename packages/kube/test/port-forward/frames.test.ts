import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clientFrame, type Frame, FrameError, FrameReader, OPCODES } from "../../src/port-forward/frames.ts";

const payloads = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
const long = fc.integer({ min: 65_530, max: 65_545 }).map((length) => Buffer.alloc(length, "x"));
const anyPayload = fc.oneof({ weight: 9, arbitrary: payloads }, { weight: 1, arbitrary: long });

/** A frame as a server writes it: without a mask. It has the shortest header that its length allows (RFC 6455, 5.2). */
function serverFrame(payload: Buffer): Buffer {
  const { length } = payload;
  const size = length < 126 ? [length] : length < 65_536 ? [126, length >> 8, length & 0xff] : undefined;
  const long = [127, 0, 0, 0, 0, length >>> 24, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff];
  return Buffer.concat([Buffer.from([0x80 | OPCODES.binary, ...(size ?? long)]), payload]);
}

/** What a server finds in a frame of a client. */
function payloadOf(frame: Buffer): Buffer {
  const short = (frame[1] ?? 0) & 0x7f;
  const at = short === 126 ? 4 : short === 127 ? 10 : 2;
  const length = short === 126 ? frame.readUInt16BE(2) : short === 127 ? Number(frame.readBigUInt64BE(2)) : short;
  const mask = frame.subarray(at, at + 4);
  expect(frame.length).toBe(at + 4 + length);
  return Buffer.from(frame.subarray(at + 4).map((byte, index) => byte ^ (mask[index % 4] ?? 0)));
}

/** @throws an error that is no FrameError */
function outcomeOf(bytes: Buffer): "read" | "refused" {
  try {
    new FrameReader().push(bytes);
    return "read";
  } catch (error) {
    if (error instanceof FrameError) return "refused";
    throw error;
  }
}

/** Cuts bytes at some places. */
function cut(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

describe("frames of a WebSocket", () => {
  test("a server reads what a client writes", () => {
    fc.assert(
      fc.property(anyPayload, fc.uint8Array({ minLength: 4, maxLength: 4 }), (payload, mask) => {
        const frame = clientFrame(OPCODES.binary, payload, Buffer.from(mask));
        expect([frame[0], (frame[1] ?? 0) & 0x80]).toEqual([0x80 | OPCODES.binary, 0x80]);
        expect(payloadOf(frame).equals(payload)).toBe(true);
      }),
    );
  });

  test("a client reads what a server writes, wherever it is cut", () => {
    fc.assert(
      fc.property(fc.array(anyPayload, { maxLength: 4 }), fc.array(fc.nat(), { maxLength: 8 }), (messages, places) => {
        const bytes = Buffer.concat(messages.map(serverFrame));
        const reader = new FrameReader();
        const frames = cut(bytes, places).flatMap((piece): readonly Frame[] => reader.push(piece));
        expect(frames.map(({ opcode, isLast }) => ({ opcode, isLast }))).toEqual(
          messages.map(() => ({ opcode: OPCODES.binary, isLast: true })),
        );
        expect(frames.every(({ payload }, index) => payload.equals(messages[index] ?? Buffer.of(0)))).toBe(true);
      }),
    );
  });

  test("bytes that are no frames are refused, and nothing else happens", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(outcomeOf(Buffer.from(bytes))).toMatch(/^(?:read|refused)$/);
      }),
    );
  });

  test.each([
    ["a masked frame", [0x82, 0x85, 1, 2, 3, 4]],
    ["an extension that was not asked for", [0xc2, 0x01, 0x00]],
    ["a frame of 4 GiB", [0x82, 0x7f, 0, 0, 0, 1, 0, 0, 0, 0]],
  ])("%s from a server is refused", (_, bytes) => {
    expect(() => new FrameReader().push(Buffer.from(bytes))).toThrow(FrameError);
  });
});
