import { systemRandom, type Random } from "@kindling/outside";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  deriveSha1,
  deriveSha2,
  ENCRYPTION_TYPES,
  encryptionType,
  encryptionTypeName,
} from "../../src/crypto/encryption-type.ts";

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");

// RFC 3962, appendix B: the step from the hashed password to the key.
it.each([
  ["cdedb5281bb2f801565a1122b2563515", "42263c6e89f4fc28b8df68ee09799f15"],
  [
    "cdedb5281bb2f801565a1122b25635150ad1f7a04bb9f3a333ecc0e2e1f70837",
    "fe697b52bc0d3ce14432ba036a92e65bbb52280990a2fa27883998d72af30161",
  ],
])("derives a key from %s", (key, expected) => {
  expect(deriveSha1(hex(key), Buffer.from("kerberos")).toString("hex")).toBe(expected);
});

const KEY_128 = hex("3705D96080C17728A0E800EAB6E0D23C");
const KEY_256 = hex("6D404D37FAF79F9DF0D33568D320669800EB4836472EA8A026D16B7182460C52");

// RFC 8009, appendix A.
it.each<["sha256" | "sha384", Buffer, string, string]>([
  ["sha256", KEY_128, "0000000299", "B31A018A48F54776F403E9A396325DC3"],
  ["sha256", KEY_128, "00000002AA", "9B197DD1E8C5609D6E67C3E37C62C72E"],
  ["sha256", KEY_128, "0000000255", "9FDA0E56AB2D85E1569A688696C26A6C"],
  ["sha384", KEY_256, "0000000299", "EF5718BE86CC84963D8BBB5031E9F5C4BA41F28FAF69E73D"],
  ["sha384", KEY_256, "00000002AA", "56AB22BEE63D82D7BC5227F6773F8EA7A5EB1C825160C38312980C442E5C7E49"],
  ["sha384", KEY_256, "0000000255", "69B16514E3CD8E56B82010D5C73012B622C4D00FFC23ED1F"],
])("derives a key with %s", (hash, key, label, expected) => {
  const derived = deriveSha2(hash, key, hex(label), expected.length / 2);
  expect(derived.toString("hex").toUpperCase()).toBe(expected);
});

/** The random bytes of a test vector. */
function fixed(bytes: Buffer): Random {
  return { ...systemRandom(), bytes: () => bytes };
}

describe("the examples of RFC 8009", () => {
  it.each([
    [
      19,
      KEY_128,
      "",
      "7E5895EAF2672435BAD817F545A37148",
      "EF85FB890BB8472F4DAB20394DCA781DAD877EDA39D50C870C0D5A0A8E48C718",
    ],
    [
      19,
      KEY_128,
      "000102030405",
      "7BCA285E2FD4130FB55B1A5C83BC5B24",
      "84D7F30754ED987BAB0BF3506BEB09CFB55402CEF7E6877CE99E247E52D16ED4421DFDF8976C",
    ],
    [
      20,
      KEY_256,
      "",
      "F764E9FA15C276478B2C7D0C4E5F58E4",
      "41F53FA5BFE7026D91FAF9BE959195A058707273A96A40F0A01960621AC612748B9BBFBE7EB4CE3C",
    ],
  ])("encrypts with type %i", (number, key, plain, confounder, expected) => {
    const type = encryptionType(number);
    const sealed = type?.seal(key, 2, hex(plain), fixed(hex(confounder)));
    expect(sealed?.toString("hex").toUpperCase()).toBe(expected);
    expect(type?.open(key, 2, hex(expected))).toStrictEqual(hex(plain));
  });

  it.each([
    [19, KEY_128, "D78367186643D67B411CBA9139FC1DEE"],
    [20, KEY_256, "45EE791567EEFCA37F4AC1E0222DE80D43C3BFA06699672A"],
  ])("signs with type %i", (number, key, expected) => {
    const bytes = Buffer.from(Array.from({ length: 21 }, (_, at) => at));
    expect(encryptionType(number)?.checksum(key, 2, bytes).toString("hex").toUpperCase()).toBe(expected);
  });
});

describe.each(ENCRYPTION_TYPES.map((type) => [type.name, type] as const))("%s", (_, type) => {
  const key = Buffer.alloc(type.keyLength, 3);

  it("opens what it has sealed, with this key for this usage alone", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const plain = Buffer.from(bytes);
        const sealed = type.seal(key, 7, plain, systemRandom());
        expect(type.open(key, 7, sealed)).toStrictEqual(plain);
        expect(type.open(key, 8, sealed)).toBeUndefined();
        expect(type.open(Buffer.alloc(type.keyLength, 4), 7, sealed)).toBeUndefined();
      }),
    );
  });

  it("notices a changed byte and a cut message", () => {
    const sealed = type.seal(key, 7, Buffer.from("a ticket"), systemRandom());
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(type.open(key, 7, changed)).toBeUndefined();
      expect(type.open(key, 7, sealed.subarray(0, at))).toBeUndefined();
    }
  });
});

it("names types that are not used", () => {
  expect(encryptionType(23)).toBeUndefined();
  expect(encryptionTypeName(23)).toBe("arcfour-hmac (RC4)");
  expect(encryptionTypeName(18)).toBe("aes256-cts-hmac-sha1-96");
  expect(encryptionTypeName(99)).toBe("encryption type 99");
});
