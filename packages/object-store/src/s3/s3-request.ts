import { createHash } from "node:crypto";
import type { HttpResponse } from "@kindling/http";
import { Readable } from "node:stream";
import { EMPTY_HASH } from "./sign-request.ts";

export interface S3Body {
  readonly length: number;
  /** SHA-256, hexadecimal: S3 refuses other bytes. */
  readonly sha256: string;
  /** A new stream for each attempt. */
  open(): Readable;
}

export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: S3Body | Buffer | string;
  /** Statuses that the caller handles, besides successes. */
  readonly accept?: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

export interface S3Answer {
  readonly status: number;
  readonly headers: HttpResponse["headers"];
  readonly text: string;
  /** How often the request was sent: if more than once, an earlier attempt may have succeeded. */
  readonly attempts: number;
}

/** The SHA-256 of a body, hexadecimal. */
export function payloadHash(body: S3Request["body"]): string {
  if (body === undefined || body === "") return EMPTY_HASH;
  return typeof body === "string" || Buffer.isBuffer(body) ? sha256(body) : body.sha256;
}

/** Bytes that are in memory, as a body. Their hash is computed once, however often they are sent. */
export function bodyOf(bytes: Uint8Array): S3Body {
  return { length: bytes.length, sha256: sha256(bytes), open: () => Readable.from([bytes]) };
}

function sha256(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
