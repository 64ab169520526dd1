import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { httpTransport, withoutProxy } from "@kindling/http";
import { systemClock } from "@kindling/outside";
import { AZURITE_ACCOUNT, hasAzurite, startAzurite } from "@kindling/test-kit/azurite";
import { testAuthority } from "@kindling/test-kit/certificates";
import { START_LIMIT_MS, type RealServer } from "@kindling/test-kit/real-server";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { AzureAuthorization } from "../../src/azure/azure-authorization.ts";
import { azureBucket } from "../../src/azure/azure-bucket.ts";
import { azureLocation } from "../../src/azure/azure-location.ts";
import type { ObjectBucket } from "../../src/object-bucket.ts";
import { storeConnection } from "../support/connection.ts";
import { keyService } from "../support/key-service.ts";
import { holdsObjects } from "../support/holds-objects.ts";

const KEY: AzureAuthorization = { kind: "key", key: Buffer.from("secret").toString("base64") };
const URI = "abfss://jobs@acct.dfs.core.windows.net/x";

function bucketAt(endpoint: string, authorization = KEY, dataLake?: URL): ObjectBucket {
  const credentials = (): Promise<AzureAuthorization> => Promise.resolve(authorization);
  const location = { ...azureLocation(URI, endpoint), dataLake };
  return azureBucket({ ...location, credentials, connection: storeConnection() });
}

describe.skipIf(!hasAzurite)("an emulator that takes tokens (Azurite with OAuth; see the test kit's servers)", () => {
  const authority = testAuthority("azure");
  let folder = "";
  let server: RealServer | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "azurite-"));
    server = await startAzurite(folder, "jobs", { certificate: authority.issue("azurite") });
  }, START_LIMIT_MS);
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A token as Microsoft Entra gives it: the emulator reads it, and does not check the signature. */
  function token(audience: string): AzureAuthorization {
    const now = Math.floor(Date.now() / 1000);
    const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
    const tenant = "11111111-1111-1111-1111-111111111111";
    const claims = { aud: audience, iss: `https://sts.windows.net/${tenant}/`, iat: now, nbf: now, exp: now + 600 };
    return { kind: "token", token: `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}.c2ln` };
  }

  function tokenBucket(audience: string): ObjectBucket {
    const transport = httpTransport({
      clock: systemClock,
      tls: { ca: authority.cert },
      proxies: withoutProxy,
      connectTimeoutMs: 10_000,
      stallTimeoutMs: 10_000,
      answerTimeoutMs: 10_000,
    });
    onTestFinished(() => transport.close());
    const uri = `abfss://jobs@${AZURITE_ACCOUNT}.dfs.core.windows.net/`;
    const credentials = (): Promise<AzureAuthorization> => Promise.resolve(token(audience));
    return azureBucket({
      ...azureLocation(uri, server?.endpoint),
      credentials,
      connection: { ...storeConnection(), transport },
    });
  }

  test("blobs are put, listed, read in ranges and deleted", async () => {
    await expect(holdsObjects(tokenBucket("https://storage.azure.com"), "a/ü 2&<3>")).resolves.toBeUndefined();
  });

  test("a token for another service is refused, with what to do", async () => {
    await expect(tokenBucket("https://vault.azure.net").stat("a")).rejects.toMatchObject({
      fault: "forbidden",
      hint: expect.stringContaining("Storage Blob Data Contributor") as string,
    });
  });
});

test.each<AzureAuthorization>([
  { kind: "token", token: "hidden" },
  { kind: "signature", query: "sig=hidden" },
])("a $kind is not sent without TLS", async (authorization) => {
  const service = await keyService((_, response) => response.end());
  const attempt = bucketAt(service.url, authorization).stat("a");
  await expect(attempt).rejects.toMatchObject({ fault: "settings" });
  await expect(attempt).rejects.not.toThrow(/hidden/);
  expect(service.requests).toEqual([]);
});

test("a write whose condition does not hold writes nothing, and another conflict is tried again", async () => {
  const answers = [
    [409, "BlobAlreadyExists"],
    [412, "ConditionNotMet"],
    [409, "LeaseIdMissing"],
    [503, "ServerBusy"],
    [201, ""],
  ] as const;
  let next = 0;
  const service = await keyService((_, response) => {
    const [status, code] = answers[next++] ?? [500, ""];
    response.writeHead(status, { "x-ms-error-code": code, etag: '"0x1"' }).end();
  });
  const bucket = bucketAt(service.url);
  const put = (version: string | undefined): ReturnType<ObjectBucket["put"]> =>
    bucket.put("a", { body: Buffer.from("1"), expect: { version } });
  expect(await put(undefined)).toEqual({ version: undefined, attempts: 1 });
  expect(await put("0x0")).toEqual({ version: undefined, attempts: 1 });
  await expect(put(undefined)).rejects.toMatchObject({ fault: "rejected", code: "LeaseIdMissing" });
  expect(await put("0x0")).toEqual({ version: "0x1", attempts: 2 });
  expect(service.requests.map(({ request: { headers } }) => headers["if-none-match"] ?? headers["if-match"])).toEqual([
    "*",
    '"0x0"',
    "*",
    '"0x0"',
    '"0x0"',
  ]);
});

test("the directories of a hierarchical namespace are no blobs", async () => {
  // As "List Blobs" answers for an account with a hierarchical namespace, from version 2020-06-12 on.
  const blob = (name: string, type: string): string =>
    `<Blob><Name>${name}</Name><Properties><Last-Modified>Sun, 01 Nov 2026 10:00:00 GMT</Last-Modified>` +
    `<Etag>0x8D</Etag><ResourceType>${type}</ResourceType><Content-Length>3</Content-Length></Properties></Blob>`;
  const service = await keyService((_, response) => {
    const blobs = blob("meta/leases", "directory") + blob("meta/leases/a.json", "file");
    response.end(`<?xml version="1.0"?><EnumerationResults><Blobs>${blobs}</Blobs><NextMarker /></EnumerationResults>`);
  });
  const listed: unknown[] = [];
  for await (const each of bucketAt(service.url).list("meta/")) listed.push(each);
  expect(listed).toEqual([
    { key: "meta/leases/a.json", size: 3, version: "0x8D", modified: Date.parse("2026-11-01T10:00:00Z") },
  ]);
});

test("an empty directory is deleted by the Data Lake service, and not with what is in it", async () => {
  const statuses = [200, 409, 404];
  const service = await keyService((_, response) => response.writeHead(statuses.shift() ?? 500).end());
  const bucket = bucketAt("http://127.0.0.1:1", KEY, new URL(service.url));
  for (const path of ["meta/a", "meta/full", "meta/none"]) await bucket.dropFolder?.(path);
  expect(service.requests.map(({ request: { method, url } }) => `${method} ${url}`)).toEqual([
    "DELETE /jobs/meta/a?recursive=false",
    "DELETE /jobs/meta/full?recursive=false",
    "DELETE /jobs/meta/none?recursive=false",
  ]);
  // A network may let only the Blob service through: then directories stay, and nothing fails.
  const closed = bucketAt(service.url, KEY, new URL("http://127.0.0.1:1"));
  await expect(closed.dropFolder?.("meta/a")).resolves.toBeUndefined();
});
