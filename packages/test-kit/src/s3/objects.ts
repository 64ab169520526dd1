import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { begin, refuse, type FakeBucket } from "./bucket.ts";
import type { S3Fault } from "./fault.ts";

/** `PutObject` */
export function putObject(
  bucket: FakeBucket,
  key: string,
  bytes: Buffer,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { objects, conditions } = bucket;
  const current = objects.get(key);
  const { "if-none-match": absent, "if-match": match } = request.headers;
  if (conditions && absent === "*" && current !== undefined) return refuse(bucket, response, 412, "PreconditionFailed");
  if (conditions && match !== undefined && current === undefined) return refuse(bucket, response, 404, "NoSuchKey");
  if (conditions && match !== undefined && current?.etag !== match)
    return refuse(bucket, response, 412, "PreconditionFailed");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (request.headers["x-amz-content-sha256"] !== sha256)
    return refuse(bucket, response, 400, "XAmzContentSHA256Mismatch");
  const meta = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => name.startsWith("x-amz-meta-")),
  ) as Record<string, string>;
  const etag = `"${createHash("md5").update(bytes).update(JSON.stringify(meta)).digest("hex")}"`;
  objects.set(key, { bytes, etag, meta, modified: Date.now() });
  begin(bucket, response, 200, { etag }).end();
}

/** `GetObject` and `HeadObject` */
export function getObject(
  bucket: FakeBucket,
  key: string,
  request: IncomingMessage,
  response: ServerResponse,
  fault: S3Fault | undefined,
): void {
  const object = bucket.objects.get(key);
  if (object === undefined) return refuse(bucket, response, 404, "NoSuchKey");
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
  const body = first === undefined ? object.bytes : object.bytes.subarray(Number(first), Number(last) + 1);
  begin(bucket, response, first === undefined ? 200 : 206, {
    ...object.meta,
    etag: object.etag,
    "content-length": body.length,
  });
  if (fault?.kind === "cut") response.write(body.subarray(0, fault.bytes), () => response.destroy());
  else response.end(request.method === "HEAD" ? undefined : body);
}
