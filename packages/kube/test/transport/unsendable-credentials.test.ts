import { expect, test } from "vitest";
import { bearer, staticCredentials } from "../../src/credentials/static-credentials.ts";
import { resources } from "../../src/index.ts";
import { caught } from "../fixtures/caught.ts";
import { plainAccess } from "../fixtures/plain-access.ts";
import { startStub } from "@kindling/test-kit/stub-server";
import { testClient } from "../fixtures/test-client.ts";

test.each(["two\nlines", "two\r\nhost: elsewhere", "beyond Latin-1 \u{1f600}", "a nul \0"])(
  "a token that no header can hold is refused by the name of its user, and not shown: %j",
  async (token) => {
    const stub = await startStub((_request, response) => response.end());
    const credentials = staticCredentials({ authorization: bearer(token) }, "the test's user");
    const error = await caught(testClient(plainAccess(stub.url, { credentials })).get(resources.pods, "p"));
    expect(error).toMatchObject({ kind: "credentials" });
    expect(error.message).toMatch(/^the test's user gives a header authorization with a line break/);
    expect(JSON.stringify([error, error.message, String(error.cause)])).not.toContain(token.slice(0, 5));
    expect(stub.requests).toEqual([]);
  },
);
