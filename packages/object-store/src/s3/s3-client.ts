import { readText, type HttpResponse } from "@kindling/http";
import type { ByteRange } from "../byte-range.ts";
import { repeatedly, storeError, type StoreConnection } from "../connection.ts";
import type { Credentials } from "../credentials/aws-keys.ts";
import { serverClock } from "../server-clock.ts";
import { objectUrl, type Bucket } from "./bucket.ts";
import { refusal } from "./s3-refusal.ts";
import { payloadHash, type S3Answer, type S3Request } from "./s3-request.ts";
import { presignedUrl, signedHeaders, type SigningScope } from "./sign-request.ts";

export interface S3ClientOptions {
  readonly bucket: Bucket;
  readonly credentials: Credentials;
  readonly connection: StoreConnection;
}

/** Signed requests to one bucket (AWS Signature Version 4). Rejects with an `ObjectStoreError`. */
export interface S3Client {
  readonly bucket: Bucket;
  /** Repeats a request while its failure may pass, and reads the answer, which may have some MiB. */
  send(request: S3Request): Promise<S3Answer>;
  /** One attempt. The caller reads the body of the answer, and repeats the request if needed. */
  attempt(request: S3Request): Promise<HttpResponse>;
  /** A GET whose body is read by the caller. */
  open(key: string, range: ByteRange): Promise<HttpResponse>;
  /** It is no error if the object does not exist. */
  delete(key: string): Promise<void>;
  presign(key: string, expiresInSeconds: number): Promise<URL>;
  /** The time by the server's clock, milliseconds since the epoch. */
  serverTime(): number;
}

// A page of a listing has a thousand keys of a kibibyte each.
const MOST_ANSWER_BYTES = 8 * 1024 * 1024;

export function s3Client({ bucket, credentials, connection }: S3ClientOptions): S3Client {
  const { transport } = connection;
  // Signatures need the server's time.
  const time = serverClock(connection.clock);

  async function scope(signal: AbortSignal | undefined): Promise<SigningScope> {
    return { keys: await credentials(signal), region: bucket.region, date: new Date(time.now()) };
  }

  async function exchange(request: S3Request): Promise<HttpResponse> {
    const { method, body, signal } = request;
    const url = objectUrl(bucket, request.key, request.query);
    const unsigned = { method, url, headers: request.headers ?? {}, payloadHash: payloadHash(body) };
    const headers = await signedHeaders(unsigned, await scope(signal));
    const response = await transport.send({ method, url, headers, body, signal });
    time.note(response);
    return response;
  }

  async function attempt(request: S3Request): Promise<HttpResponse> {
    const response = await exchange(request);
    if (response.status < 300 || request.accept?.includes(response.status) === true) return response;
    throw await refusal(request, response, bucket, connection);
  }

  async function readAnswer(request: S3Request, attempts: number): Promise<S3Answer> {
    const response = await attempt(request);
    const text = await readText(response, { mostBytes: MOST_ANSWER_BYTES });
    // A CompleteMultipartUpload reports a failure in the body of a 200: its headers are sent while it still works.
    if (response.status === 200 && /^\s*(<\?xml[^>]*>\s*)?<Error>/.test(text)) {
      throw await refusal(request, response, bucket, connection, text);
    }
    return { status: response.status, headers: response.headers, text, attempts };
  }

  const send = (request: S3Request): Promise<S3Answer> =>
    repeatedly(connection, request.signal, (before) => readAnswer(request, before + 1));

  return {
    bucket,
    serverTime: () => time.now(),
    send,
    async attempt(request) {
      try {
        return await attempt(request);
      } catch (error) {
        throw storeError(error);
      }
    },
    async open(key, { start, end }) {
      const request: S3Request = { method: "GET", key, headers: { range: `bytes=${start}-${end - 1}` } };
      return await repeatedly(connection, undefined, async () => {
        const response = await attempt(request);
        // A server without ranges sends everything, which is right only for a range from the beginning.
        if (response.status === 206 || start === 0) return response;
        throw await refusal(request, response, bucket, connection);
      });
    },
    async delete(key) {
      await send({ method: "DELETE", key, accept: [404] });
    },
    async presign(key, expiresInSeconds) {
      return await presignedUrl(objectUrl(bucket, key), expiresInSeconds, await scope(undefined));
    },
  };
}
