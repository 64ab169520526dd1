import { createHash, getFips } from "node:crypto";
import { Readable } from "node:stream";
import type { NewObject, ObjectBody } from "../object-bucket.ts";
import type { GcsRequest } from "./gcs-request.ts";

/** An object with its metadata in one request ("Upload object data in a single request", multipart upload). */
export function uploadOf(
  key: string,
  { body, contentType, metadata }: NewObject,
  id: string,
): Pick<GcsRequest, "headers" | "body"> {
  const type = contentType ?? "application/octet-stream";
  const boundary = `kindling-${id}`;
  const md5 = md5Of(body);
  const resource = { name: key, contentType: type, metadata, md5Hash: md5 };
  const head = Buffer.from(
    `--${boundary}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(resource)}\r\n` +
      `--${boundary}\r\ncontent-type: ${type}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: { "content-type": `multipart/related; boundary=${boundary}` },
    body: Buffer.isBuffer(body) ? Buffer.concat([head, body, tail]) : between(head, body, tail),
  };
}

function between(head: Buffer, body: ObjectBody, tail: Buffer): Omit<ObjectBody, "hash"> {
  async function* chunks(): AsyncGenerator<Buffer, void> {
    yield head;
    for await (const chunk of body.open() as AsyncIterable<Buffer>) yield chunk;
    yield tail;
  }
  const length = head.length + body.length + tail.length;
  return { length, open: () => Readable.from(chunks(), { objectMode: false, highWaterMark: 256 * 1024 }) };
}

/** Base64: the server refuses other bytes. `undefined` where OpenSSL's FIPS provider has no MD5. */
function md5Of(body: NewObject["body"]): string | undefined {
  if (!Buffer.isBuffer(body)) return body.hash === "" ? undefined : Buffer.from(body.hash, "hex").toString("base64");
  return md5Allowed() ? createHash("md5").update(body).digest("base64") : undefined;
}

/** Whether this OpenSSL has MD5: its FIPS provider has not. */
export function md5Allowed(): boolean {
  return getFips() !== 1;
}
