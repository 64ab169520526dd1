import { expect, test } from "vitest";
import { keysOf, parseProfile } from "../../src/credentials/profile.ts";

const SOURCE = `# comment
[default]
aws_access_key_id = AKIA1
aws_secret_access_key=abc/+=
s3 =
    addressing_style = path
[profile staging]
aws_access_key_id=AKIA2
aws_secret_access_key=def
aws_session_token = token==
[empty]
`;

test("a profile's keys are read", () => {
  expect(keysOf(parseProfile(SOURCE, "default"))).toEqual({
    accessKeyId: "AKIA1",
    secretAccessKey: "abc/+=",
    sessionToken: undefined,
  });
  expect(keysOf(parseProfile(SOURCE, "staging"))).toEqual({
    accessKeyId: "AKIA2",
    secretAccessKey: "def",
    sessionToken: "token==",
  });
});

test("a profile without keys, or that is not there, has none", () => {
  expect(parseProfile(SOURCE, "empty")).toEqual(new Map());
  expect(keysOf(parseProfile(SOURCE, "empty"))).toBeUndefined();
  expect(parseProfile(SOURCE, "other")).toBeUndefined();
});
