import { expect, test } from "vitest";
import { awsProfile } from "../../src/credentials/aws-profile.ts";

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
  expect(awsProfile(SOURCE, "default")).toEqual({
    accessKeyId: "AKIA1",
    secretAccessKey: "abc/+=",
    sessionToken: undefined,
  });
  expect(awsProfile(SOURCE, "staging")).toEqual({
    accessKeyId: "AKIA2",
    secretAccessKey: "def",
    sessionToken: "token==",
  });
});

test("a profile without keys, or that is not there, has none", () => {
  expect(awsProfile(SOURCE, "empty")).toBeUndefined();
  expect(awsProfile(SOURCE, "other")).toBeUndefined();
});
