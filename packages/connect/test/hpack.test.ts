import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FieldDecoder } from "../src/hpack/decode-fields.ts";
import { encodeFields } from "../src/hpack/encode-fields.ts";
import { HpackError } from "../src/hpack/hpack-error.ts";
import { type Field, STATIC_TABLE } from "../src/hpack/static-table.ts";

const LIMITS = { count: 64, bytes: 32 * 1024 };

function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(" ", ""), "hex");
}

test("the requests of RFC 7541, C.4, are decoded one after the other", () => {
  const decoder = new FieldDecoder(LIMITS);
  const request: Field[] = [
    [":method", "GET"],
    [":scheme", "http"],
    [":path", "/"],
    [":authority", "www.example.com"],
  ];
  expect(decoder.decode(hex("8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff"))).toEqual(request);
  expect(decoder.decode(hex("8286 84be 5886 a8eb 1064 9cbf"))).toEqual([...request, ["cache-control", "no-cache"]]);
  expect(decoder.decode(hex("8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf"))).toEqual([
    [":method", "GET"],
    [":scheme", "https"],
    [":path", "/index.html"],
    [":authority", "www.example.com"],
    ["custom-key", "custom-value"],
  ]);
});

const bytesAsText = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString("latin1"));
const field: fc.Arbitrary<Field> = fc.oneof(
  fc.tuple(bytesAsText, bytesAsText),
  fc.constantFrom(...STATIC_TABLE),
  fc.tuple(
    fc.constantFrom(...STATIC_TABLE).map(([name]) => name),
    bytesAsText,
  ),
);

test("what is encoded is decoded again", () => {
  fc.assert(
    fc.property(fc.array(fc.array(field, { maxLength: 12 }), { maxLength: 4 }), (blocks) => {
      const decoder = new FieldDecoder(LIMITS);
      for (const fields of blocks) expect(decoder.decode(encodeFields(fields))).toEqual(fields);
    }),
  );
});

test("any bytes are headers within the limits, or refused", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 10 }), (blocks) => {
      const decoder = new FieldDecoder({ count: 8, bytes: 1000 });
      const isAllowed = (block: Uint8Array): boolean => {
        try {
          const fields = decoder.decode(Buffer.from(block));
          return (
            fields.length <= 8 && fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0) <= 1000
          );
        } catch (error) {
          return error instanceof HpackError;
        }
      };
      expect(blocks.every(isAllowed)).toBe(true);
    }),
  );
});

describe("headers are refused", () => {
  test.each([
    ["that end within a text", "00 05 61"],
    ["with an index of no table", "ff 80 01"],
    ["with the index 0", "80"],
    ["with a number that has no end", "ff ff ff ff ff ff ff ff ff 0f"],
    ["with a table that is larger than was agreed", "3f e2 1f 82"],
    ["with a change of the table in the middle", "82 20"],
    ["with a text whose padding is not of ones", "00 81 00 00"],
    ["with a text that has the end of Huffman's code", "00 84 ff ff ff ff 00"],
  ])("%s", (_, block) => {
    expect(() => new FieldDecoder(LIMITS).decode(hex(block))).toThrow(HpackError);
  });

  test("of which a few bytes stand for very many", () => {
    const decoder = new FieldDecoder(LIMITS);
    // One header of 4,000 bytes, which is kept, and then named again and again.
    decoder.decode(Buffer.concat([hex("40 01 61 7f a1 1e"), Buffer.alloc(4000, "x")]));
    expect(() => decoder.decode(Buffer.alloc(20, 0xbe))).toThrow("32768 bytes");
  });
});
