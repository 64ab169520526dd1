import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

export interface FakeObject {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly meta: Record<string, string>;
  readonly modified: number;
}

export interface FakeUpload {
  readonly key: string;
  readonly parts: Map<number, { bytes: Buffer; etag: string }>;
  readonly initiated: number;
}

/** The content and the behaviour of a server. */
export interface FakeBucket {
  readonly objects: Map<string, FakeObject>;
  readonly uploads: Map<string, FakeUpload>;
  /** How far its clock is ahead, in milliseconds. */
  skew: number;
  /** Whether it respects If-Match and If-None-Match. */
  conditions: boolean;
}

export function fakeBucket(): FakeBucket {
  return { objects: new Map(), uploads: new Map(), skew: 0, conditions: true };
}

/** Begins an answer with the server's time. */
export function begin(
  { skew }: FakeBucket,
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders = {},
): ServerResponse {
  return response.writeHead(status, { ...headers, date: new Date(Date.now() + skew).toUTCString() });
}

export function refuse(bucket: FakeBucket, response: ServerResponse, status: number, code: string): void {
  begin(bucket, response, status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}
