import { entityTag, formatDigestField, REPR_DIGEST_FIELD, type Digest } from "@kindling/staging-client";
import type { FastifyReply, FastifyRequest } from "fastify";
import { fileDamaged, ProblemError } from "../errors/problem-error.ts";
import { shareOf } from "../http/caller.ts";
import { headerOf } from "../http/header.ts";
import { parseRange } from "./byte-range.ts";
import type { DownloadContext } from "./download-context.ts";
import { sendChunks } from "./send-chunks.ts";

export interface BlobToSend {
  /** The namespace of the bundle. */
  readonly namespace: string;
  readonly digest: Digest;
  readonly size: number;
}

/**
 * Answers a GET or HEAD with a blob: whole, one range of it, or no body if the client has it already (RFC 9110, 13 and
 * 14). The entity tag is the digest, so it is strong.
 *
 * @throws ProblemError `range-not-satisfiable`, `file-damaged`, `overloaded`
 */
export async function sendBlob(
  context: DownloadContext,
  request: FastifyRequest,
  reply: FastifyReply,
  blob: BlobToSend,
): Promise<FastifyReply> {
  const { digest, size } = blob;
  const tag = entityTag(digest);
  const headers: Record<string, string | number> = {
    etag: tag,
    "accept-ranges": "bytes",
    [REPR_DIGEST_FIELD]: formatDigestField(digest),
    // The bytes never change, but only clients with the secret may have them.
    "cache-control": "private, no-transform",
    "content-type": "application/octet-stream",
    "x-content-type-options": "nosniff",
    "request-id": request.id,
  };
  if (matchesTag(headerOf(request, "if-none-match"), tag)) {
    return await reply.code(304).headers({ etag: tag }).send();
  }
  const ifRange = headerOf(request, "if-range");
  const range = ifRange === undefined || ifRange === tag ? parseRange(headerOf(request, "range"), size) : "whole";
  if (range === "unsatisfiable") {
    throw new ProblemError("range-not-satisfiable", `the file has ${size} bytes`, {
      headers: { "content-range": `bytes */${size}` },
    });
  }
  const { start, end } = range === "whole" ? { start: 0, end: size } : range;
  headers["content-length"] = end - start;
  if (range !== "whole") headers["content-range"] = `bytes ${start}-${end - 1}/${size}`;
  const status = range === "whole" ? 200 : 206;
  if (request.method === "HEAD") {
    if ((await context.blobs.store.stat(digest)) !== size) throw fileDamaged();
    reply.hijack();
    reply.raw.writeHead(status, headers).end();
    return reply;
  }
  const leave = context.gates.download(shareOf(context, request, blob.namespace));
  try {
    await stream(context, reply, { digest, size, start, end, status, headers });
  } finally {
    leave();
  }
  return reply;
}

interface Streamed extends Omit<BlobToSend, "namespace"> {
  readonly start: number;
  readonly end: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
}

async function stream(context: DownloadContext, reply: FastifyReply, blob: Streamed): Promise<void> {
  const { blobs, metrics } = context;
  const { start, end } = blob;
  const reader = await blobs.read(blob, { start, end });
  if (reader === undefined) throw fileDamaged();
  metrics.transfers.inc({ direction: "out" });
  try {
    reply.hijack();
    reply.raw.writeHead(blob.status, blob.headers);
    const all = await sendChunks(reader, reply.raw, (bytes) => metrics.sentBytes.inc(bytes));
    if (all) reply.raw.end();
  } catch (error) {
    // The status is sent already: closing the connection shows that the body is not complete.
    reply.log.warn({ err: error, digest: blob.digest }, "download failed");
    reply.raw.destroy();
  } finally {
    metrics.transfers.dec({ direction: "out" });
    await reader.close();
  }
}

function matchesTag(field: string | undefined, tag: string): boolean {
  return (field ?? "").split(",").some((each) => each.trim() === tag || each.trim() === "*");
}
