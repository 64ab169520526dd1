import { expect, test } from "vitest";
import { checksum } from "../../src/index.ts";

// The check values of the catalogue of CRCs, and of RFC 1950: each is the checksum of these nine bytes.
test.each([
  ["ADLER32", 0x091e_01de],
  ["CRC32", 0xcbf4_3926],
  ["CRC32C", 0xe306_9283],
])("%s of 123456789, also in pieces", (algorithm, value) => {
  const whole = checksum(algorithm);
  whole?.update(Buffer.from("123456789"));
  const pieces = checksum(algorithm);
  for (const piece of ["1234", "", "56789"]) pieces?.update(Buffer.from(piece));
  expect([whole?.value, pieces?.value]).toEqual([value, value]);
});

test("Adler-32 of many large bytes does not overflow", () => {
  const sum = checksum("ADLER32");
  sum?.update(Buffer.alloc(1_000_000, 0xff));
  expect(sum?.value).toBe(adler(Buffer.alloc(1_000_000, 0xff)));
});

test("an unknown algorithm has no checksum", () => expect(checksum("MD5")).toBeUndefined());

function adler(bytes: Buffer): number {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return b * 65_536 + a;
}
