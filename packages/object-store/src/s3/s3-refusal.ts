import { readBeginning, type HttpResponse } from "@kindling/http";
import { ObjectStoreError, type StoreFault } from "../object-store-error.ts";
import { refusalWords } from "../refusal-words.ts";
import type { StoreConnection } from "../connection.ts";
import { textOf } from "../xml.ts";
import type { Bucket } from "./bucket.ts";
import type { S3Request } from "./s3-request.ts";

const MOST_BYTES = 16 * 1024;

/**
 * The error for an answer that is no success.
 *
 * @param said the body, if it has been read already
 */
export async function refusal(
  request: S3Request,
  response: HttpResponse,
  bucket: Bucket,
  { redact, clock, transport }: StoreConnection,
  said?: string,
): Promise<ObjectStoreError> {
  const within = { clock, milliseconds: transport.stallTimeoutMs };
  const text = said ?? (await readBeginning(response, { mostBytes: MOST_BYTES, within })).text;
  // A failure after a 200 may succeed another time.
  const status = response.status < 300 ? 500 : response.status;
  const code = textOf(text, "Code");
  const words = refusalWords({ message: textOf(text, "Message"), code, status }, redact);
  const asked = request.key === "" ? `the bucket ${bucket.name}` : request.key;
  return new ObjectStoreError(
    faultOf(status, code),
    `${bucket.url.host} refused ${request.method} ${asked}: ${words}`,
    {
      status,
      code,
      retryable: isPassing(status, code),
      bucketRegion: otherRegion(response, bucket),
      hint: hintOf(response, status, code, bucket),
    },
  );
}

function faultOf(status: number, code: string | undefined): StoreFault {
  if (status === 507 || code === "QuotaExceeded" || code === "XMinioStorageFull") return "no-space";
  if (status === 404) return "not-found";
  if (status === 401 || status === 403) return "forbidden";
  if (status === 429 || status === 503) return "overloaded";
  return status >= 500 ? "server" : "rejected";
}

/** The answer corrects a wrong clock, and a conflict of two writers is over soon. */
function isPassing(status: number, code: string | undefined): boolean {
  if (faultOf(status, code) === "no-space") return false;
  return status >= 500 || status === 429 || status === 408 || status === 409 || code === "RequestTimeTooSkewed";
}

function otherRegion({ headers }: HttpResponse, bucket: Bucket): string | undefined {
  const actual = headers["x-amz-bucket-region"];
  const isOther = typeof actual === "string" && actual !== bucket.region && /^[\w-]{1,64}$/.test(actual);
  return isOther ? actual : undefined;
}

function hintOf(response: HttpResponse, status: number, code: string | undefined, bucket: Bucket): string | undefined {
  const region = otherRegion(response, bucket);
  if (region !== undefined) return `the bucket is in ${region}, and not in ${bucket.region}`;
  if (code === "RequestTimeTooSkewed") return "the clock of this machine is wrong";
  if (status === 403) return `check the credentials, and what they may do with the bucket ${bucket.name}`;
  return undefined;
}
