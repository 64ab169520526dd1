import { expect, test } from "vitest";
import { basic, bearer, staticCredentials } from "../../src/credentials/static-credentials.ts";
import { resources } from "../../src/index.ts";
import { caught } from "../fixtures/caught.ts";
import { plainAccess } from "../fixtures/plain-access.ts";
import { startStub } from "@kindling/test-kit/stub-server";
import { testClient } from "../fixtures/test-client.ts";

const TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOlsia2luZGxpbmciXX0.c2lnbmF0dXJl";
const PASSWORD = 'a"pass\\word-of-some-length';

test.each([
  ["a token", bearer(TOKEN), [TOKEN]],
  ["a password", basic("alice", PASSWORD), [PASSWORD, basic("alice", PASSWORD).slice(6)]],
])("an answer that shows the request does not make the error show %s", async (_, authorization, secrets) => {
  const status = (message: string): string =>
    JSON.stringify({ kind: "Status", message, details: { causes: [{ message }] } });
  const shown = [...secrets, ...secrets.map((secret) => secret.slice(0, 20)), authorization].join(" and ");
  for (const body of [status(shown), `<html><pre>${shown}</pre></html>`, JSON.stringify({ shown })]) {
    const stub = await startStub((_request, response) => void response.writeHead(403).end(body));
    const credentials = staticCredentials({ authorization }, "the test's user");
    const error = await caught(testClient(plainAccess(stub.url, { credentials })).get(resources.pods, "p"));
    const said = JSON.stringify([error, error.message, String(error.cause)]);
    expect(error).toMatchObject({ kind: "status", status: 403 });
    expect(said).toContain("***");
    for (const secret of secrets) expect(said).not.toContain(JSON.stringify(secret).slice(1, 17));
  }
});
