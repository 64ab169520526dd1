import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { azureCredentials, azureSecret, azureSources } from "../../src/azure/azure-authorization.ts";
import { sharedKey } from "../../src/azure/sign-shared-key.ts";
import { credentialsContext, type TestContext } from "../support/credentials-context.ts";
import { keyService } from "../support/key-service.ts";

const WORKLOAD = {
  AZURE_CLIENT_ID: "client-1",
  AZURE_TENANT_ID: "tenant-1",
  AZURE_FEDERATED_TOKEN_FILE: "/var/run/secrets/azure/tokens/azure-identity-token",
};
const FILES = { [WORKLOAD.AZURE_FEDERATED_TOKEN_FILE]: "hidden-assertion" };

function chain(context: TestContext): ReturnType<typeof azureCredentials> {
  return azureCredentials(azureSources(), context, "what to do");
}

describe("a workload identity", () => {
  test("exchanges the pod's token at the authority", async () => {
    const service = await keyService((_, response) => {
      response.end(JSON.stringify({ token_type: "Bearer", expires_in: 86_399, access_token: "hidden-token" }));
    });
    const context = credentialsContext({ ...WORKLOAD, AZURE_AUTHORITY_HOST: `${service.url}/` }, FILES);
    expect(await chain(context)()).toEqual({ kind: "token", token: "hidden-token" });
    expect(service.requests[0]?.request.url).toBe("/tenant-1/oauth2/v2.0/token");
    expect(Object.fromEntries(new URLSearchParams(service.requests[0]?.body))).toEqual({
      grant_type: "client_credentials",
      client_id: "client-1",
      scope: "https://storage.azure.com/.default",
      client_assertion: "hidden-assertion",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    });
    expect(context.hidden).toEqual(expect.arrayContaining(["hidden-assertion", "hidden-token"]));
  });

  test("tells in Microsoft's words why it is refused", async () => {
    const service = await keyService((_, response) => {
      response.writeHead(401).end(
        JSON.stringify({
          error: "invalid_client",
          error_description:
            "AADSTS700213: No matching federated identity record found for presented assertion subject",
        }),
      );
    });
    const context = credentialsContext({ ...WORKLOAD, AZURE_AUTHORITY_HOST: service.url }, FILES);
    await expect(chain(context)()).rejects.toMatchObject({
      fault: "credentials",
      message: expect.stringContaining("AADSTS700213: No matching federated identity record") as string,
      hint: expect.stringContaining("system:serviceaccount:NAMESPACE:NAME") as string,
    });
  });

  test.each<[string, Record<string, string>, Record<string, string>, RegExp]>([
    ["without its client", { AZURE_FEDERATED_TOKEN_FILE: "/t" }, { "/t": "x" }, /is set without AZURE_CLIENT_ID/],
    ["without its file", WORKLOAD, {}, /azure-identity-token does not exist or is empty$/],
    [
      "at an authority without TLS",
      { ...WORKLOAD, AZURE_AUTHORITY_HOST: "http://login.example.com" },
      FILES,
      /AZURE_AUTHORITY_HOST is no https URL$/,
    ],
  ])("%s is an error, and not passed over", async (_, env, files, message) => {
    await expect(chain(credentialsContext(env, files))()).rejects.toMatchObject({
      fault: "settings",
      message: expect.stringMatching(message) as string,
    });
  });
});

test("a client secret is exchanged in the same way", async () => {
  const service = await keyService((_, response) => response.end('{"access_token":"hidden-token","expires_in":3600}'));
  const env = { ...WORKLOAD, AZURE_CLIENT_SECRET: "hidden-secret", AZURE_AUTHORITY_HOST: service.url };
  const context = credentialsContext(env, FILES);
  expect(await chain(context)()).toEqual({ kind: "token", token: "hidden-token" });
  expect(new URLSearchParams(service.requests[0]?.body).get("client_secret")).toBe("hidden-secret");
});

test("a key and a shared access signature of the environment come first", async () => {
  const key = credentialsContext({ ...WORKLOAD, AZURE_STORAGE_KEY: "aGlkZGVu" });
  expect(await chain(key)()).toEqual({ kind: "key", key: "aGlkZGVu" });
  const signature = credentialsContext({ AZURE_STORAGE_SAS_TOKEN: "?sv=2022-11-02&sig=a%2Bb%3D" });
  expect(await chain(signature)()).toEqual({ kind: "signature", query: "sv=2022-11-02&sig=a%2Bb%3D" });
  expect(signature.hidden).toEqual(["sv=2022-11-02&sig=a%2Bb%3D", "a+b=", "a%2Bb%3D"]);
  expect(() => azureSecret("AZURE_STORAGE_KEY", "not base64!", undefined)).toThrow(
    "AZURE_STORAGE_KEY: the account's key is not base64",
  );
});

test("a request is signed as the documentation's example is", () => {
  // Azure Storage, "Authorize with Shared Key", the example of a listing with a metadata query.
  const url = new URL("https://myaccount.blob.core.windows.net/mycontainer?restype=container&comp=metadata&timeout=20");
  const headers = { "x-ms-date": "Fri, 26 Jun 2015 23:39:12 GMT", "x-ms-version": "2015-02-21" };
  const signed = sharedKey("myaccount", "c2VjcmV0", { method: "GET", url, headers });
  const text =
    "GET\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:Fri, 26 Jun 2015 23:39:12 GMT\nx-ms-version:2015-02-21\n" +
    "/myaccount/mycontainer\ncomp:metadata\nrestype:container\ntimeout:20";
  expect(signed).toBe(`SharedKey myaccount:${hmac("secret", text)}`);
});

function hmac(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64");
}
