import { buffer } from "node:stream/consumers";
import { hasFakeGcsServer, startFakeGcsServer } from "@kindling/test-kit/fake-gcs-server";
import { START_LIMIT_MS, type RealServer } from "@kindling/test-kit/real-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gcsBucket } from "../../src/gcs/gcs-bucket.ts";
import type { ObjectBucket } from "../../src/object-bucket.ts";
import { storeConnection } from "../support/connection.ts";
import { keyService } from "../support/key-service.ts";
import { holdsObjects } from "../support/holds-objects.ts";

function bucketAt(endpoint: string): ObjectBucket {
  return gcsBucket({
    bucket: "jobs",
    endpoint: new URL(endpoint),
    credentials: () => Promise.resolve({ token: "hidden-token" }),
    connection: storeConnection(),
  });
}

describe.skipIf(!hasFakeGcsServer)("an emulator (fake-gcs-server; see the test kit's servers)", () => {
  let server: RealServer | undefined;
  beforeAll(async () => {
    server = await startFakeGcsServer("jobs");
  }, START_LIMIT_MS);
  afterAll(() => server?.stop());

  test("objects are put, listed, read in ranges and deleted", async () => {
    await expect(holdsObjects(bucketAt(server?.endpoint ?? ""), "a/ü 2&?%")).resolves.toBeUndefined();
  });
});

test("a write has a condition and a checksum, and is tried again when the object had too many of them", async () => {
  // As Google answers when an object is written more than once a second.
  const busy = {
    error: { code: 429, message: "The object exceeded the rate limit", errors: [{ reason: "rateLimitExceeded" }] },
  };
  const answers = [
    [429, busy],
    [412, { error: { code: 412, message: "conditionNotMet" } }],
    [200, { generation: "1700000000000001", size: "1" }],
  ] as const;
  let next = 0;
  const service = await keyService((_, response) => {
    const [status, body] = answers[next++] ?? [500, {}];
    response.writeHead(status).end(JSON.stringify(body));
  });
  const bucket = bucketAt(service.url);
  const body = Buffer.from("1");
  expect(await bucket.put("a/b", { body, expect: { version: undefined } })).toEqual({
    version: undefined,
    attempts: 2,
  });
  expect(await bucket.put("a/b", { body, expect: { version: "7" } })).toEqual({
    version: "1700000000000001",
    attempts: 1,
  });
  const [first, , last] = service.requests;
  const path = "/upload/storage/v1/b/jobs/o?uploadType=multipart&name=a%2Fb";
  expect(first?.request.url).toBe(`${path}&ifGenerationMatch=0`);
  expect(last?.request.url).toBe(`${path}&ifGenerationMatch=7`);
  expect(first?.request.headers.authorization).toBe("Bearer hidden-token");
  expect(first?.body).toContain('"md5Hash":"xMpCOKC5I4INzFCab3WEmw=="');
});

test("a refusal tells Google's reason and the role that is needed", async () => {
  const service = await keyService((_, response) => {
    const message = "spark@jobs.iam.gserviceaccount.com does not have storage.objects.get access";
    response.writeHead(403).end(JSON.stringify({ error: { code: 403, message, errors: [{ reason: "forbidden" }] } }));
  });
  await expect(bucketAt(service.url).stat("a")).rejects.toMatchObject({
    fault: "forbidden",
    status: 403,
    code: "forbidden",
    message: expect.stringContaining("does not have storage.objects.get access (forbidden, HTTP 403)") as string,
    hint: "give the identity the role roles/storage.objectUser on the bucket jobs",
  });
});

test("an answer with another range than the one asked for is refused", async () => {
  const service = await keyService((_, response) => response.end("the whole object"));
  const bucket = bucketAt(service.url);
  await expect(bucket.open("a", { start: 4, end: 9 })).rejects.toMatchObject({ fault: "protocol" });
  const whole = await bucket.open("a", { start: 0, end: 16 });
  expect(whole && (await buffer(whole.body)).toString()).toBe("the whole object");
});
