import { caughtFrom } from "@kindling/test-kit/caught";
import { WEBHDFS_TOKEN } from "@kindling/test-kit/hadoop-token-file";
import { expect, it } from "vitest";
import { NameNodePassed, readRenewalAnswer, readTokenAnswer, tokenUrl } from "../../src/hadoop/ask-name-node.ts";

const NAME_NODE = new URL("http://nn.example.com:9870");

function exception(name: string, message: string): string {
  return JSON.stringify({ RemoteException: { exception: name, javaClassName: `org.x.${name}`, message } });
}

it("asks as WebHDFS' documentation says", () => {
  expect(tokenUrl(NAME_NODE, { renewer: "alice", proxyUser: undefined }).href).toBe(
    "http://nn.example.com:9870/webhdfs/v1/?op=GETDELEGATIONTOKEN&renewer=alice",
  );
  expect(tokenUrl(NAME_NODE, { renewer: "", proxyUser: "bob" }).search).toBe("?op=GETDELEGATIONTOKEN&doas=bob");
});

it("reads a token", () => {
  const text = JSON.stringify({ Token: { urlString: WEBHDFS_TOKEN } });
  expect(readTokenAnswer({ status: 200, text }, NAME_NODE)).toMatchObject({ kind: "WEBHDFS delegation" });
});

it.each(["StandbyException", "RetriableException"])("passes to the next one for a %s", (name) => {
  const answer = { status: 403, text: exception(name, "Operation category WRITE is not supported in state standby") };
  expect(() => readTokenAnswer(answer, NAME_NODE)).toThrow(NameNodePassed);
});

it.each([
  // github.com/apache/kyuubi, issue 98.
  [
    403,
    exception("IOException", "Delegation Token can be issued only with kerberos or web authentication\n\tat org.x"),
    "Delegation Token can be issued only with kerberos or web authentication (IOException, HTTP 403)",
    "dfs.web.authentication.kerberos.principal",
  ],
  [
    403,
    exception("AuthorizationException", "User: alice@R is not allowed to impersonate bob"),
    "User: alice@R is not allowed to impersonate bob (AuthorizationException, HTTP 403)",
    "hadoop.proxyuser.USER.hosts",
  ],
  [200, '{"Token":null}', "(HTTP 200)", "security switched on"],
  [401, "<html>Authentication required</html>", "(HTTP 401)", "keytab of HTTP/host"],
  [
    403,
    "<html>GSSException: Failure unspecified at GSS-API level (Mechanism level: Checksum failed)</html>",
    "(HTTP 403)",
    "keytab of HTTP/host",
  ],
  [404, "not found", "(HTTP 404)", "the address of WebHDFS"],
  [500, exception("NullPointerException", ""), "(NullPointerException, HTTP 500)", "log of the name node"],
])("says what HTTP %i with %j means", (status, text, words, hint) => {
  const error = caughtFrom(() => readTokenAnswer({ status, text }, NAME_NODE));
  expect(error.code).toBe("TOKEN_REFUSED");
  expect(error.message).toBe(`the name node nn.example.com:9870 gives no delegation token: ${words}`);
  expect(error.hint).toContain(hint);
});

it("never quotes what it takes for a token", () => {
  const text = JSON.stringify({ Token: { urlString: "c2VjcmV0LXNlY3JldA" } });
  const error = caughtFrom(() => readTokenAnswer({ status: 200, text }, NAME_NODE));
  expect(error.message).toBe("the name node nn.example.com:9870 sent a delegation token that cannot be read");
  expect(`${error.hint} ${String(error.cause)}`).not.toContain("c2VjcmV0");
});

it("reads when a renewed token ends", () => {
  expect(readRenewalAnswer({ status: 200, text: '{"long":1767225600000}' }, NAME_NODE)).toEqual({
    until: 1_767_225_600_000,
  });
});

it.each([
  ["InvalidToken", "token (token for alice: HDFS_DELEGATION_TOKEN) can't be found in cache"],
  ["AccessControlException", "bob tries to renew a token with renewer kindling"],
])("a renewal that is refused for good: %s", (name, message) => {
  const answer = { status: 403, text: exception(name, `${message}\n\tat org.x`) };
  expect(readRenewalAnswer(answer, NAME_NODE)).toEqual({ refused: message });
});

it("a renewal that may succeed later", () => {
  const standby = { status: 403, text: exception("StandbyException", "Operation category WRITE") };
  expect(() => readRenewalAnswer(standby, NAME_NODE)).toThrow(NameNodePassed);
  const error = caughtFrom(() => readRenewalAnswer({ status: 500, text: exception("IOException", "disk") }, NAME_NODE));
  expect(error.message).toBe(
    "the name node nn.example.com:9870 does not renew a delegation token: disk (IOException, HTTP 500)",
  );
});
