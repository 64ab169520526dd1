import { expect, test } from "vitest";
import { impersonating } from "../../src/credentials/impersonation.ts";
import { staticCredentials } from "../../src/credentials/static-credentials.ts";
import { resources } from "../../src/index.ts";
import { asAsked } from "../fixtures/as-asked.ts";
import { plainAccess } from "../fixtures/plain-access.ts";
import { startStub } from "@kindling/test-kit/stub-server";
import { testClient } from "../fixtures/test-client.ts";

test("impersonation goes with each request, beside the credentials", async () => {
  const stub = await startStub(asAsked);
  const source = staticCredentials({ authorization: "Bearer t" }, "the user");
  const credentials = impersonating(source, { user: "carol", groups: ["dev", "ops"], extra: { Scope: ["view"] } });
  await testClient(plainAccess(stub.url, { credentials })).get(resources.pods, "p");
  expect(stub.requests[0]?.headers).toMatchObject({
    authorization: "Bearer t",
    "impersonate-user": "carol",
    "impersonate-group": "dev, ops",
    "impersonate-extra-scope": "view",
  });
  expect(credentials.description).toBe("the user (acting as carol)");
});
