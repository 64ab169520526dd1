import type { IncomingMessage, ServerResponse } from "node:http";
import { begin, refuse, type FakeBucket } from "./bucket.ts";
import type { S3Fault } from "./fault.ts";
import { listing } from "./listing.ts";
import { continueUpload, createUpload, listUploads } from "./multipart.ts";
import { getObject, putObject } from "./objects.ts";

export const FAKE_BUCKET = "bucket";

/** Carries out a request, if it is signed. */
export function carryOut(
  bucket: FakeBucket,
  request: IncomingMessage,
  bytes: Buffer,
  response: ServerResponse,
  fault?: S3Fault,
): void {
  const { method } = request;
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://s3");
  const key = decodeURIComponent(pathname.slice(FAKE_BUCKET.length + 2));
  if (
    request.headers.authorization?.startsWith("AWS4-HMAC-SHA256 Credential=") !== true &&
    !query.has("X-Amz-Signature")
  )
    return refuse(bucket, response, 403, "AccessDenied");
  if (key === "" && query.has("uploads")) listUploads(bucket, response);
  else if (key === "") begin(bucket, response, 200).end(listing(bucket, query));
  else if (query.has("uploads")) createUpload(bucket, key, response);
  else if (query.has("uploadId")) continueUpload(bucket, method, query, bytes, response);
  else if (method === "PUT") putObject(bucket, key, bytes, request, response);
  else if (method === "DELETE") {
    bucket.objects.delete(key);
    begin(bucket, response, 204).end();
  } else getObject(bucket, key, request, response, fault);
}
