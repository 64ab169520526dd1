import { randomUUID } from "node:crypto";
import { createServer, ServerResponse, type IncomingMessage } from "node:http";
import { listening } from "./listening-server.ts";
import { begin, fakeBucket, refuse, type FakeBucket, type FakeObject } from "./s3/bucket.ts";
import { carryOut } from "./s3/carry-out.ts";
import type { S3Fault } from "./s3/fault.ts";

export { FAKE_BUCKET } from "./s3/carry-out.ts";
export type { S3Fault } from "./s3/fault.ts";

export interface FakeS3 {
  readonly endpoint: string;
  readonly objects: ReadonlyMap<string, FakeObject>;
  readonly openUploads: number;
  readonly requests: readonly string[];
  /** The largest number of parts that were sent at the same time. */
  readonly mostParts: number;
  /** The next requests that match get these faults, one each. */
  fail(match: RegExp, ...faults: S3Fault[]): void;
  /** Runs before a request is carried out. */
  onRequest(hook: ((line: string) => void) | undefined): void;
  /** Puts other bytes into an object, as another tool might. */
  spoil(key: string, bytes: string): void;
  /** How far its clock is ahead. */
  skew(milliseconds: number): void;
  /** Ignores If-Match and If-None-Match, as old servers do. */
  ignoreConditions(): void;
}

/** The part of S3 that the store uses, in memory, with small pages, and with faults on command. */
export async function fakeS3(): Promise<FakeS3> {
  const bucket = fakeBucket();
  const { objects, uploads } = bucket;
  const faults: { match: RegExp; fault: S3Fault }[] = [];
  const requests: string[] = [];
  let hook: ((line: string) => void) | undefined;
  let parts = 0;
  let mostParts = 0;

  const server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    requests.push(line);
    if (/^PUT .*partNumber=/.test(line)) {
      mostParts = Math.max(mostParts, ++parts);
      response.on("close", () => parts--);
    }
    hook?.(line);
    const index = faults.findIndex(({ match }) => match.test(line));
    const [{ fault } = {}] = index < 0 ? [] : faults.splice(index, 1);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => answer(bucket, request, Buffer.concat(chunks), response, fault));
  });
  const { port } = await listening(server);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    get openUploads() {
      return uploads.size;
    },
    requests,
    get mostParts() {
      return mostParts;
    },
    fail: (match, ...more) => void faults.push(...more.map((fault) => ({ match, fault }))),
    onRequest(next) {
      hook = next;
    },
    spoil(key, bytes) {
      const object = objects.get(key);
      if (object === undefined) throw new Error(`there is no ${key}`);
      objects.set(key, { ...object, bytes: Buffer.from(bytes), etag: `"${randomUUID()}"` });
    },
    skew(milliseconds) {
      bucket.skew = milliseconds;
    },
    ignoreConditions() {
      bucket.conditions = false;
    },
  };
}

function answer(
  bucket: FakeBucket,
  request: IncomingMessage,
  bytes: Buffer,
  response: ServerResponse,
  fault: S3Fault | undefined,
): void {
  if (fault?.kind === "status") refuse(bucket, response, fault.status, fault.code);
  else if (fault?.kind === "late-error")
    begin(bucket, response, 200).end('<?xml version="1.0"?>\n<Error><Code>InternalError</Code></Error>');
  else if (fault?.kind === "lost-answer") {
    // A response without a connection: its data is lost.
    carryOut(bucket, request, bytes, new ServerResponse(request));
    request.socket.destroy();
  } else carryOut(bucket, request, bytes, response, fault);
}
