import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { isStagingError, sleep, type Clock, type HttpResponse, type HttpTransport } from "@kindling/staging-client";
import { StoreError } from "../store-error.ts";
import type { CredentialSource } from "./s3-credentials.ts";
import { textOf } from "./s3-xml.ts";
import { EMPTY_HASH, presignedUrl, signedHeaders } from "./sign-request.ts";

export interface S3ClientOptions {
  /** Of the bucket: with its name in the path or in the host. */
  readonly bucketUrl: URL;
  readonly region: string;
  readonly credentials: CredentialSource;
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly random: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface S3Body {
  readonly length: number;
  /** SHA-256, hexadecimal: S3 refuses other bytes. */
  readonly sha256: string;
  /** A fresh stream for each attempt. */
  open(): Readable;
}

export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body | string;
  /** Statuses besides successes that the caller understands. */
  readonly accept?: readonly number[];
}

export interface S3Answer {
  readonly status: number;
  readonly headers: HttpResponse["headers"];
  readonly text: string;
  /** How often the request was sent: after the first time, an earlier one may have been carried out. */
  readonly attempts: number;
}

/** Requests to one bucket, signed, repeated while their failure is a passing one. Rejects with a `StoreError`. */
export interface S3Client {
  send(request: S3Request): Promise<S3Answer>;
  /** A GET whose body is read by the caller. */
  open(key: string, range: { readonly start: number; readonly end: number }): Promise<HttpResponse | undefined>;
  presign(key: string, expiresInSeconds: number): Promise<URL>;
  /** The time by the server's clock, milliseconds since the epoch. */
  serverTime(): number;
}

const ATTEMPTS = 5;
const BASE_MS = 100;
const CAP_MS = 5_000;

export function s3Client(options: S3ClientOptions): S3Client {
  const { bucketUrl, region, transport, clock, random } = options;
  // By how much the server's clock is ahead of this machine's; signatures must be made by the former.
  let skewMs = 0;
  const serverTime = (): number => options.now() + skewMs;

  function urlOf(key: string, query: Readonly<Record<string, string>> = {}): URL {
    const base = bucketUrl.pathname.replace(/\/$/, "");
    const url = new URL(bucketUrl);
    url.pathname = `${base}/${key.split("/").map(encodeURIComponent).join("/")}`;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  async function attempt(request: S3Request): Promise<HttpResponse> {
    const { method, body } = request;
    const url = urlOf(request.key, request.query);
    const bytes = typeof body === "string" ? Buffer.from(body) : undefined;
    const payloadHash = bytes === undefined ? ((body as S3Body | undefined)?.sha256 ?? EMPTY_HASH) : sha256(bytes);
    const scope = { credentials: await options.credentials(), region, date: new Date(serverTime()) };
    const headers = await signedHeaders({ method, url, headers: request.headers ?? {}, payloadHash }, scope);
    const response = await transport.send({
      method,
      url,
      headers,
      ...(bytes !== undefined ? { body: bytes } : typeof body === "object" && { body }),
    });
    noteTime(response);
    return response;
  }

  function noteTime({ headers }: HttpResponse): void {
    const server = Date.parse(headers.date ?? "");
    // The field has whole seconds; smaller differences are no skew.
    if (!Number.isNaN(server) && Math.abs(server - serverTime()) > 2_000) skewMs = server - options.now();
  }

  async function send(request: S3Request): Promise<S3Answer> {
    for (let attempts = 1; ; attempts++) {
      try {
        const response = await attempt(request);
        const text = await readAll(response);
        const { status, headers } = response;
        // A CompleteMultipartUpload reports a failure in the body of a 200: its headers went out while it was at work.
        const failedLate = status === 200 && /^\s*(<\?xml[^>]*>\s*)?<Error>/.test(text);
        if (!failedLate && (status < 300 || request.accept?.includes(status) === true)) {
          return { status, headers, text, attempts };
        }
        throw failure(request, failedLate ? 500 : status, text);
      } catch (error) {
        const problem = asStoreError(error);
        if (attempts === ATTEMPTS || !(problem instanceof PassingError)) throw asFinal(problem);
        await sleep(clock, random() * Math.min(CAP_MS, BASE_MS * 2 ** attempts));
      }
    }
  }

  return {
    send,
    serverTime,
    async open(key, { start, end }) {
      for (let attempts = 1; ; attempts++) {
        try {
          const request: S3Request = { method: "GET", key, headers: { range: `bytes=${start}-${end - 1}` } };
          const response = await attempt(request);
          // A server that knows no ranges sends everything, which is right only from the beginning on.
          if (response.status === 206 || (response.status === 200 && start === 0)) return response;
          const text = await readAll(response);
          if (response.status === 404) return undefined;
          throw failure(request, response.status, text);
        } catch (error) {
          const problem = asStoreError(error);
          if (attempts === ATTEMPTS || !(problem instanceof PassingError)) throw asFinal(problem);
          await sleep(clock, random() * Math.min(CAP_MS, BASE_MS * 2 ** attempts));
        }
      }
    },
    async presign(key, expiresInSeconds) {
      const scope = { credentials: await options.credentials(), region, date: new Date(serverTime()) };
      return await presignedUrl(urlOf(key), expiresInSeconds, scope);
    },
  };
}

/** A failure that may pass. */
class PassingError extends StoreError {}

function asFinal(error: unknown): unknown {
  return error instanceof PassingError ? new StoreError(error.kind, error.message, error.cause) : error;
}

function asStoreError(error: unknown): unknown {
  if (!isStagingError(error)) return error;
  const message = `S3 cannot be reached: ${error.message}`;
  return error.retryable
    ? new PassingError("unavailable", message, error)
    : new StoreError("unavailable", message, error);
}

function failure(request: S3Request, status: number, text: string): StoreError {
  const code = textOf(text, "Code") ?? `status ${status}`;
  const what = `S3 answered ${code} to ${request.method} ${request.key === "" ? "the bucket" : request.key}`;
  if (status === 507 || code === "QuotaExceeded" || code === "XMinioStorageFull")
    return new StoreError("no-space", what);
  // A clock that was wrong is set right by the answer; a conflict of two writers is over soon.
  const passing =
    status >= 500 || status === 429 || status === 408 || status === 409 || code === "RequestTimeTooSkewed";
  return passing ? new PassingError("unavailable", what) : new StoreError("unavailable", what);
}

async function readAll({ body }: HttpResponse): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    throw new PassingError("unavailable", "S3 broke off its answer", error);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
