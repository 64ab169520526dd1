import { expect, it } from "vitest";
import { KeytabError, parseKeytab, parsePrincipal } from "../../src/keytab/keytab.ts";

/** A keytab with a key of version 2, a hole that a removed key has left, and a version that needs more than eight bits. */
function keytab(): Buffer {
  const text = (value: string): Buffer => Buffer.concat([Buffer.from([0, value.length]), Buffer.from(value)]);
  const entry = (short: number, long?: number): Buffer => {
    const content = Buffer.concat([
      Buffer.from([0, 2]),
      ...["EXAMPLE.COM", "HTTP", "nn"].map(text),
      Buffer.from([0, 0, 0, 1, 1, 2, 3, 4, short, 0, 18, 0, 3, 7, 8, 9]),
      ...(long === undefined ? [] : [Buffer.from([0, 0, long >> 8, long & 0xff])]),
    ]);
    return Buffer.concat([Buffer.from([0, 0, 0, content.length]), content]);
  };
  const hole = Buffer.from([0xff, 0xff, 0xff, 0xfc, 9, 9, 9, 9]);
  return Buffer.concat([Buffer.from([5, 2]), entry(2), hole, entry(1, 257)]);
}

it("reads keys with their principals and versions", () => {
  const principal = { type: 1, parts: ["HTTP", "nn"], realm: "EXAMPLE.COM" };
  const key = { type: 18, value: Buffer.from([7, 8, 9]) };
  expect(parseKeytab(keytab())).toStrictEqual([
    { principal, version: 2, key },
    { principal, version: 257, key },
  ]);
});

it.each<[string, Buffer]>([
  ["it is no keytab", Buffer.from("password")],
  ["it is no keytab", Buffer.from([5, 1, 0, 0])],
  ["it ends in the middle of a key", keytab().subarray(0, -1)],
  ["it ends in the middle of a key", Buffer.from([5, 2, 0, 0, 0, 1, 0])],
])("says that %s", (words, bytes) => {
  expect(() => parseKeytab(bytes)).toThrow(KeytabError);
  expect(() => parseKeytab(bytes)).toThrow(words);
});

it.each([
  ["alice", ["alice"], "DEFAULT"],
  ["alice@R", ["alice"], "R"],
  ["rm/host.example.com@R.COM", ["rm", "host.example.com"], "R.COM"],
  [String.raw`a\/b\@c@R`, ["a/b@c"], "R"],
])("reads the principal %s", (text, parts, realm) => {
  expect(parsePrincipal(text, "DEFAULT")).toMatchObject({ parts, realm });
});

it("a principal needs a name and a realm", () => {
  expect([parsePrincipal("alice", undefined), parsePrincipal("@R", "D"), parsePrincipal("", "D")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
