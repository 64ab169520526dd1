import { expect, it } from "vitest";
import { connectStaging, isStagingError } from "../../src/index.ts";
import { sendJson, sendProblem, stubServer } from "../support/stub-server.ts";

it("passes on what the server says of a refusal", async () => {
  const { uri } = await stubServer((_request, response) =>
    sendProblem(response, 507, "quota-exceeded", { requestId: "r-1" }),
  );
  const client = connectStaging({ uri });
  const error: unknown = await client.openLease({ namespace: "a" }).catch((thrown: unknown) => thrown);
  expect(isStagingError(error)).toBe(true);
  expect(error).toMatchObject({
    fault: "quota",
    status: 507,
    retryable: false,
    message: expect.stringMatching(/because of quota-exceeded \(request r-1\)$/) as string,
  });
  client.close();
});

it.each([
  [502, "<html>bad gateway</html>", "server", true],
  [404, "nginx", "not-found", false],
  [200, "<html>some other page</html>", "protocol", false],
])("understands a %i from something that is no staging server", async (status, body, fault, retryable) => {
  const { uri } = await stubServer(
    (_request, response) => void response.writeHead(status, { "content-type": "text/html" }).end(body),
  );
  const client = connectStaging({ uri, retry: { attempts: 1 } });
  await expect(client.capabilities()).rejects.toMatchObject({ fault, retryable });
  client.close();
});

it("sends credentials with calls that need them, fresh ones each time, and none with others", async () => {
  const { uri, requests } = await stubServer((_request, response) =>
    sendJson(response, 200, { leaseId: "l", bundles: [] }),
  );
  let count = 0;
  const client = connectStaging({ uri: uri.slice(0, -1), authorization: () => `Bearer token-${++count}` });
  await client.capabilities();
  await client.openLease({ namespace: "a" });
  await client.listBundles({ namespace: "a", limit: 5, continue: "x y" });
  await client.deleteBundle("b", { secret: "s" });
  expect(requests.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
    ["GET", "/api/v1/capabilities", undefined],
    ["POST", "/api/v1/leases", "Bearer token-1"],
    ["GET", "/api/v1/bundles?namespace=a&limit=5&continue=x+y", "Bearer token-2"],
    ["DELETE", "/api/v1/bundles/b", "Bearer s"],
  ]);
  client.close();
});

it("finds a server behind a path, and refuses what is no server's address", async () => {
  const { uri, requests } = await stubServer((_request, response) => sendJson(response, 200, {}));
  const client = connectStaging({ uri: `${uri}staging?x=1#y` });
  await client.capabilities();
  expect(requests[0]?.url).toBe("/staging/api/v1/capabilities");
  client.close();
  for (const wrong of ["", "staging:10000", "ftp://host/", "http://user:password@host/"]) {
    expect(() => connectStaging({ uri: wrong })).toThrow(expect.objectContaining({ fault: "protocol" }));
    expect(() => connectStaging({ uri: wrong })).not.toThrow(/password@/);
  }
});
