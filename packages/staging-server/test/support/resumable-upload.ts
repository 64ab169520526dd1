import { connect, type Socket } from "node:net";
import { expect } from "vitest";
import { formatDigestField } from "@kindling/staging-client";
import { eventually } from "@kindling/test-kit/eventually";
import type { Sample } from "./stage.ts";
import { httpCall, type Answer } from "./http-call.ts";
import { jsonCall, type TestServer } from "./test-server.ts";

/** Creates an upload; returns its path. */
export async function createUpload(server: TestServer, lease: string, { digest, bytes }: Sample): Promise<string> {
  const answer = await server.call(`api/v1/uploads?lease=${lease}`, {
    method: "POST",
    headers: {
      "upload-complete": "?0",
      "upload-length": bytes.length,
      "repr-digest": formatDigestField(digest),
      "content-length": 0,
    },
  });
  expect(answer.status).toBe(201);
  expect(answer.headers["upload-limit"]).toMatch(/max-size=\d+/);
  return answer.headers.location ?? "";
}

/** One append, from an offset on; the last one if `last`. */
export function append(
  server: TestServer,
  path: string,
  offset: number,
  body: Buffer,
  last: boolean,
  more: Record<string, string> = {},
): Promise<Answer> {
  return server.call(path, {
    method: "PATCH",
    headers: {
      "content-type": "application/partial-upload",
      "upload-offset": offset,
      "upload-complete": last ? "?1" : "?0",
      ...more,
    },
    body,
  });
}

/** The offset of an upload at the server. */
export async function offsetOf(server: TestServer, path: string): Promise<string | string[] | undefined> {
  return (await server.call(path, { method: "HEAD" })).headers["upload-offset"];
}

/** Waits until the server has received this many bytes of files. */
export async function received(server: TestServer, bytes: number): Promise<void> {
  await eventually(async () => {
    const metrics = await httpCall(`${server.adminUri}metrics`);
    expect(metrics.body.toString()).toMatch(new RegExp(`^staging_received_bytes_total ${bytes}$`, "m"));
  });
}

/** Whether the server tells a lease that a file need not be sent. */
export async function isHere(server: TestServer, lease: string, { digest, bytes }: Sample): Promise<boolean> {
  const body = { lease, digests: [{ digest, size: bytes.length }] };
  const answer = await server.call("api/v1/blobs:missing", jsonCall(body));
  return (answer.json as { missing: string[] }).missing.length === 0;
}

/** A PATCH that sends some bytes, and then nothing. */
export async function stalledPatch(server: TestServer, path: string, body: Buffer, announced: number): Promise<Socket> {
  const socket = connect(Number(new URL(server.uri).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(
    `PATCH ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/partial-upload\r\nUpload-Offset: 0\r\n` +
      `Upload-Complete: ?1\r\nContent-Length: ${announced}\r\n\r\n`,
  );
  await new Promise<void>((resolve) => socket.write(body, () => resolve()));
  return socket;
}
