import { buffer } from "node:stream/consumers";
import { FAKE_BUCKET, fakeS3 } from "@kindling/test-kit/fake-s3";
import { expect, test } from "vitest";
import type { StoreConnection } from "../../src/connection.ts";
import { bucketAt } from "../../src/s3/bucket.ts";
import { listObjects } from "../../src/s3/list-objects.ts";
import { multipartUpload, type UploadPart } from "../../src/s3/multipart-upload.ts";
import { s3Client, type S3Client } from "../../src/s3/s3-client.ts";
import { bodyOf } from "../../src/s3/s3-request.ts";
import { storeConnection } from "../support/connection.ts";
import { keyService } from "../support/key-service.ts";

const KEYS = { accessKeyId: "access", secretAccessKey: "hidden-secret", sessionToken: undefined };

function clientAt(endpoint: string, changes: Partial<StoreConnection> = {}): S3Client {
  return s3Client({
    bucket: bucketAt({ name: FAKE_BUCKET, endpoint, region: undefined, pathStyle: true }),
    credentials: () => Promise.resolve(KEYS),
    connection: storeConnection(changes),
  });
}

test("objects are put, listed page by page, read in ranges and deleted", async () => {
  const client = clientAt((await fakeS3()).endpoint);
  const keys = ["a/1", "a/2", "a/3", "a/4", "b"];
  for (const key of keys) await client.send({ method: "PUT", key, body: Buffer.from(`bytes of ${key}`) });
  const listed: string[] = [];
  for await (const { key, size } of listObjects(client, "a/")) listed.push(`${key} ${size}`);
  expect(listed).toEqual(["a/1 12", "a/2 12", "a/3 12", "a/4 12"]);
  const { body } = await client.open("a/2", { start: 9, end: 12 });
  expect((await buffer(body)).toString()).toBe("a/2");
  await client.delete("a/2");
  await client.delete("a/2");
  await expect(client.open("a/2", { start: 0, end: 1 })).rejects.toMatchObject({ fault: "not-found", status: 404 });
});

test("what passes is tried again, and how often is told", async () => {
  const s3 = await fakeS3();
  s3.fail(/^PUT/, { kind: "status", status: 503, code: "SlowDown" }, { kind: "lost-answer" });
  const answer = await clientAt(s3.endpoint).send({ method: "PUT", key: "x", body: "1" });
  expect(answer).toMatchObject({ status: 200, attempts: 3 });
});

test.each<[number, string, object]>([
  [403, "AccessDenied", { fault: "forbidden", retryable: false }],
  [404, "NoSuchBucket", { fault: "not-found", retryable: false }],
  [400, "InvalidRequest", { fault: "rejected", retryable: false }],
  [507, "XMinioStorageFull", { fault: "no-space", retryable: false }],
  [503, "SlowDown", { fault: "overloaded", retryable: true }],
  [500, "InternalError", { fault: "server", retryable: true }],
])("a refusal with %s %s says so in the store's words", async (status, code, meaning) => {
  const store = await keyService((_, response) =>
    response.writeHead(status).end(`<Error><Code>${code}</Code><Message>Words &amp;\nhidden-secret</Message></Error>`),
  );
  const redact = (text: string): string => text.replaceAll("hidden-secret", "***");
  const failed = clientAt(store.url, { redact, attempts: 2 }).send({ method: "PUT", key: "x", body: "1" });
  const { host } = new URL(store.url);
  await expect(failed).rejects.toMatchObject({
    ...meaning,
    status,
    code,
    message: `${host} refused PUT x: Words & *** (${code}, HTTP ${status})`,
  });
});

test("a bucket of another region is named", async () => {
  const store = await keyService((_, response) =>
    response.writeHead(301, { "x-amz-bucket-region": "eu-central-1", location: "http://169.254.169.254/" }).end(),
  );
  await expect(clientAt(store.url).send({ method: "PUT", key: "x" })).rejects.toMatchObject({
    fault: "rejected",
    bucketRegion: "eu-central-1",
    hint: "the bucket is in eu-central-1, and not in us-east-1",
  });
});

test("a store that is not there is an error that says what to look at", async () => {
  await expect(clientAt("http://127.0.0.1:1", { attempts: 2 }).send({ method: "GET", key: "x" })).rejects.toMatchObject(
    {
      fault: "unreachable",
      message: "http://127.0.0.1:1: connection refused",
    },
  );
});

test("a signal ends a request, and the pauses between attempts", async () => {
  const cancel = new AbortController();
  const store = await keyService((_, response) => {
    response.writeHead(503).end();
    setImmediate(() => cancel.abort());
  });
  const client = clientAt(store.url, { backoff: { baseMs: 1e9, capMs: 1e9 } });
  const { signal } = cancel;
  await expect(client.send({ method: "GET", key: "x", signal })).rejects.toMatchObject({ fault: "cancelled" });
});

const part = (text: string): UploadPart => ({ body: () => bodyOf(Buffer.from(text)), close: () => Promise.resolve() });

test("an upload in parts goes on where another process has left it", async () => {
  const s3 = await fakeS3();
  const options = { client: clientAt(s3.endpoint), key: "x", partSize: 3, atOnce: 2, mayRead: true };
  const first = multipartUpload(options);
  await first.add(part("abc"));
  await first.settle();
  const second = multipartUpload({ ...options, from: first.state() });
  expect(second.bytes).toBe(3);
  await second.add(part("d"));
  await second.complete();
  expect(s3.objects.get("x")?.bytes.toString()).toBe("abcd");
});

test("the end of an upload whose answer is lost is found out, and so is one that failed after its 200", async () => {
  const s3 = await fakeS3();
  const upload = multipartUpload({ client: clientAt(s3.endpoint), key: "x", partSize: 3, atOnce: 2, mayRead: false });
  await upload.add(part("abc"));
  s3.fail(/^POST .*uploadId/, { kind: "late-error" }, { kind: "lost-answer" });
  await upload.complete();
  expect(s3.objects.get("x")?.bytes.toString()).toBe("abc");
});

test("an upload that is aborted leaves nothing", async () => {
  const s3 = await fakeS3();
  const upload = multipartUpload({ client: clientAt(s3.endpoint), key: "x", partSize: 3, atOnce: 2, mayRead: false });
  await upload.add(part("abc"));
  expect(s3.openUploads).toBe(1);
  await upload.abort();
  expect([s3.openUploads, s3.objects.size]).toEqual([0, 0]);
});
