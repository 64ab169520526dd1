import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  application,
  decode,
  DerError,
  elements,
  flags,
  integer,
  member,
  members,
  octetString,
  readInteger,
  readOctets,
  readText,
  readTime,
  sequence,
  sequenceOf,
  text,
  time,
} from "../../src/asn1/der.ts";
import { faultOf } from "../support/fault-of.ts";

describe("encoding", () => {
  it.each<[string, Buffer, string]>([
    ["zero", integer(0), "020100"],
    ["the largest number of a byte", integer(127), "02017f"],
    ["a number whose first bit is set", integer(128), "02020080"],
    ["a negative number", integer(-1), "0201ff"],
    ["the number of a keyed MD5 checksum", integer(-138), "0202ff76"],
    ["a time", time(Date.UTC(1985, 10, 6, 21, 6, 27)), "180f31393835313130363231303632375a"],
    ["flags", flags(0x4000_0000), "03050040000000"],
    ["a text", text("HTTP"), "1b0448545450"],
    ["a message", application(14, sequence(member(0, integer(5)))), "6e073005a003020105"],
  ])("writes %s", (_, bytes, expected) => {
    expect(bytes.toString("hex")).toBe(expected);
  });

  it("writes lengths of several bytes", () => {
    expect(octetString(Buffer.alloc(200)).subarray(0, 3).toString("hex")).toBe("0481c8");
    expect(octetString(Buffer.alloc(70_000)).subarray(0, 5).toString("hex")).toBe("0483011170");
  });
});

describe("reading what was written", () => {
  it("returns numbers", () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 47), max: 2 ** 47 - 1 }), (value) => {
        expect(readInteger(integer(value))).toBe(value);
      }),
    );
  });

  it("returns texts, bytes and times", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.uint8Array({ maxLength: 400 }),
        fc.integer({ min: 0, max: 4_000_000_000 }),
        (words, bytes, seconds) => {
          const all = members(
            sequence(member(0, text(words)), member(3, octetString(bytes)), member(9, time(seconds * 1000))),
          );
          expect(readText(all.get(0))).toBe(words);
          expect(readOctets(all.get(3))).toStrictEqual(Buffer.from(bytes));
          expect(readTime(all.get(9))).toBe(seconds * 1000);
          expect(all.find(1)).toBeUndefined();
          expect(() => all.get(1)).toThrow(DerError);
        },
      ),
    );
  });

  it("returns lists", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { maxLength: 60 }), (values) => {
        expect(sequenceOf(sequence(...values.map(integer))).map(readInteger)).toStrictEqual(values);
      }),
    );
  });
});

it("reads or refuses any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const read = faultOf(() => elements(Buffer.from(bytes)).forEach(({ raw }) => members(raw)));
      expect(read === undefined || read instanceof DerError).toBe(true);
    }),
  );
});

it.each(["", "30", "3080", "3085ffffffffff", "3004020101", "1f8101", "0200"])("refuses %s", (hex) => {
  expect(() => readInteger(Buffer.from(hex, "hex"))).toThrow(DerError);
});

it("leaves what is behind a value", () => {
  expect(decode(Buffer.from("0201050201", "hex")).raw.toString("hex")).toBe("020105");
});
