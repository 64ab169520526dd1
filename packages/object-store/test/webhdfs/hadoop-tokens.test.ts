import fc from "fast-check";
import { expect, test } from "vitest";
import { parseHadoopTokens, tokenFor } from "../../src/webhdfs/hadoop-tokens.ts";
import { NS1_TOKEN, TOKEN_FILE, WEBHDFS_TOKEN } from "@kindling/test-kit/hadoop-token-file";

test("the tokens that Hadoop writes are read as it writes them into URLs", () => {
  expect(parseHadoopTokens(TOKEN_FILE)).toMatchObject([
    { kind: "WEBHDFS delegation", service: "127.0.0.1:9870", urlString: WEBHDFS_TOKEN },
    { kind: "HDFS_DELEGATION_TOKEN", service: "ha-hdfs:ns1", urlString: NS1_TOKEN },
    { kind: "HIVE_DELEGATION_TOKEN", service: "" },
  ]);
});

test.each<[string, string[], string | undefined]>([
  ["ns1", ["nn1.example", "10.0.0.1"], NS1_TOKEN],
  ["127.0.0.1:8020", ["127.0.0.1"], WEBHDFS_TOKEN],
  ["nn.example:8020", ["nn.example", "127.0.0.1"], WEBHDFS_TOKEN],
  ["ns2", ["nn2.example"], undefined],
  ["", [], undefined],
])("an HDFS %s at %j is shown its own token", (nameService, hosts, expected) => {
  const tokens = parseHadoopTokens(TOKEN_FILE) ?? [];
  expect(tokenFor(tokens, nameService, hosts)?.urlString).toBe(expected);
});

test("a file that is cut is none, wherever it is cut", () => {
  const tokensEnd = TOKEN_FILE.length - "\x01\x01k\x01v".length;
  for (let length = 0; length < tokensEnd; length++) {
    expect(parseHadoopTokens(TOKEN_FILE.subarray(0, length)), String(length)).toBeUndefined();
  }
});

test("any bytes are read or refused", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const parsed = parseHadoopTokens(Buffer.concat([Buffer.from("HDTS\0"), bytes]));
      expect(parsed === undefined || Array.isArray(parsed)).toBe(true);
    }),
  );
});
