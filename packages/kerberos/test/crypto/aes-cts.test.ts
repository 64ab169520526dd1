import fc from "fast-check";
import { expect, it } from "vitest";
import { decryptCts, encryptCts } from "../../src/crypto/aes-cts.ts";

const KEY = Buffer.from("chicken teriyaki");

// RFC 3962, appendix B.
it.each([
  ["I would like the ", "c6353568f2bf8cb4d8a580362da7ff7f97"],
  ["I would like the General Gau's ", "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5"],
  ["I would like the General Gau's C", "39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584"],
  [
    "I would like the General Gau's Chicken, please,",
    "97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e39312523a78662d5be7fcbcc98ebf5",
  ],
])("encrypts %j", (plain, expected) => {
  expect(encryptCts(KEY, Buffer.from(plain)).toString("hex")).toBe(expected);
  expect(decryptCts(KEY, Buffer.from(expected, "hex")).toString()).toBe(plain);
});

it("decrypts what it has encrypted", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 100 }), fc.constantFrom(16, 32), (bytes, length) => {
      const key = Buffer.alloc(length, 7);
      const sealed = encryptCts(key, Buffer.from(bytes));
      expect(sealed.length).toBe(bytes.length);
      expect(decryptCts(key, sealed)).toStrictEqual(Buffer.from(bytes));
    }),
  );
});
