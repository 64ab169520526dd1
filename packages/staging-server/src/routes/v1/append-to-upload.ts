import {
  CONTENT_DIGEST_FIELD,
  digester,
  formatBoolean,
  PARTIAL_UPLOAD_MEDIA_TYPE,
  parseBoolean,
  parseDigestField,
  parseSize,
  UPLOAD_COMPLETE_FIELD,
  UPLOAD_OFFSET_FIELD,
  type Digester,
} from "@kindling/staging-client";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ProblemError } from "../../errors/problem-error.ts";
import { shareOf } from "../../http/caller.ts";
import { contentLength } from "../../http/content-length.ts";
import { sendContinue } from "../../http/continue.ts";
import { headerOf } from "../../http/header.ts";
import { bodyProblem, takeBody } from "../../ingest/take-blob.ts";
import type { UploadTurn } from "../../ingest/upload-turn.ts";
import { isOfStorage, PublishLaterError, verifyAndPublish } from "../../ingest/verify-and-publish.ts";
import type { Reservation } from "../../ledger/reservation.ts";
import type { UploadRecord } from "../../metadata/uploads.ts";
import type { ServerContext } from "../server-context.ts";
import { holdForAll, pinForAll } from "./hold-for-all.ts";

export interface Append {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly record: UploadRecord;
}

/** One PATCH of an upload (draft-ietf-httpbis-resumable-upload, 4.4). */
export async function appendToUpload(context: ServerContext, append: Append): Promise<FastifyReply> {
  const { request, record } = append;
  const { offset, last } = announced(request);
  const length = contentLength(request.raw);
  // "If the upload is already complete, the server MUST NOT modify the upload resource and MUST reject the request."
  if (record.complete) throw alreadyComplete(length);
  if (last && length !== undefined && offset + length !== record.size) throw inconsistent(record, offset + length);
  const leave = context.gates.upload(request.client, shareOf(context, request, record.namespace));
  try {
    const turn = await context.sessions.begin(record.id);
    if (turn === undefined) throw new ProblemError("upload-gone", "nothing is left of this upload; create it again");
    if (turn === "complete") throw alreadyComplete(length);
    try {
      return await appendInTurn(context, append, turn, { offset, last });
    } finally {
      await turn.end();
    }
  } finally {
    leave();
  }
}

interface Announced {
  readonly offset: number;
  /** The body is the rest of the file. */
  readonly last: boolean;
}

function announced(request: FastifyRequest): Announced {
  const type = request.headers["content-type"] ?? "";
  if (type.split(";")[0]?.trim().toLowerCase() !== PARTIAL_UPLOAD_MEDIA_TYPE) {
    throw new ProblemError("unsupported-media-type", `appends are of type ${PARTIAL_UPLOAD_MEDIA_TYPE}`);
  }
  const offset = parseSize(headerOf(request, UPLOAD_OFFSET_FIELD));
  const last = parseBoolean(headerOf(request, UPLOAD_COMPLETE_FIELD));
  if (offset === undefined) throw new ProblemError("invalid-request", "Upload-Offset is missing or is no size");
  if (last === undefined)
    throw new ProblemError("invalid-request", "Upload-Complete is missing or is neither ?0 nor ?1");
  return { offset, last };
}

async function appendInTurn(
  context: ServerContext,
  { request, reply, record }: Append,
  turn: UploadTurn,
  { offset, last }: Announced,
): Promise<FastifyReply> {
  const { ingest } = turn;
  if (offset !== ingest.offset) {
    const expected = ingest.offset;
    await turn.suspend();
    throw new ProblemError("mismatching-offset", `the upload goes on at ${expected}`, {
      members: { "expected-offset": expected, "provided-offset": offset },
      headers: { [UPLOAD_OFFSET_FIELD]: String(expected) },
    });
  }
  const reservation = await context.capacity
    .reserve(record.namespace, record.size - offset, record.digest)
    .catch(async (error: unknown) => {
      await turn.suspend();
      throw error;
    });
  try {
    sendContinue(request.raw, reply.raw);
    const content = contentDigest(request, turn.hash);
    const received = await takeBody(context, {
      request: request.raw,
      ingest,
      hash: content.hash,
      limit: record.size - offset,
      reservation,
      signal: turn.signal,
    });
    if (received.outcome === "failed" || (received.outcome === "refused" && isTooLong(received.error))) {
      context.metrics.uploads.inc({ outcome: received.outcome });
      // When the storage works again, or has room, the client can go on from the last safe offset.
      if (isOfStorage(received.error)) await turn.abandon();
      else await turn.drop();
      throw bodyProblem(received);
    }
    if (received.outcome === "complete" && !content.matches()) {
      // Nobody can tell any more which bytes are wrong.
      await turn.drop();
      throw new ProblemError("digest-mismatch", "the body does not have its Content-Digest");
    }
    if (received.outcome !== "complete" || !last) {
      await turn.suspend();
      // 4.6: "the server MAY abruptly terminate the previous HTTP connection".
      if (turn.signal.aborted) request.raw.destroy();
      if (received.outcome !== "complete") throw bodyProblem(received);
      return await reply
        .code(204)
        .header(UPLOAD_COMPLETE_FIELD, formatBoolean(false))
        .header(UPLOAD_OFFSET_FIELD, ingest.offset)
        .send();
    }
    if (ingest.offset !== record.size) {
      const reached = ingest.offset;
      await turn.suspend();
      throw inconsistent(record, reached);
    }
    return await finish(context, reply, record, turn, reservation);
  } finally {
    reservation.release();
  }
}

async function finish(
  context: ServerContext,
  reply: FastifyReply,
  record: UploadRecord,
  turn: UploadTurn,
  reservation: Reservation,
): Promise<FastifyReply> {
  const { metrics, blobs } = context;
  try {
    const published = await verifyAndPublish(blobs, {
      ingest: turn.ingest,
      hash: turn.hash,
      expected: { digest: record.digest, size: record.size },
      async pin(digest) {
        await pinForAll(context, turn.record.leases, digest);
        await turn.verified();
      },
      resumable: true,
    });
    reservation.settle(published.digest, published.size);
    metrics.uploads.inc({ outcome: published.outcome });
  } catch (error) {
    metrics.uploads.inc({ outcome: error instanceof ProblemError ? "refused" : "failed" });
    if (error instanceof PublishLaterError) {
      await turn.abandon();
      throw error.cause;
    }
    await turn.drop();
    throw error;
  }
  await holdForAll(context, turn.record);
  await turn.complete();
  return await reply
    .code(201)
    .header(UPLOAD_COMPLETE_FIELD, formatBoolean(true))
    .header(UPLOAD_OFFSET_FIELD, record.size)
    .send();
}

/** Also hashes the body alone, if its sender has announced a digest for it (RFC 9530, 2). */
function contentDigest(
  request: FastifyRequest,
  whole: Digester | undefined,
): { readonly hash: Digester | undefined; matches(): boolean } {
  const expected = parseDigestField(headerOf(request, CONTENT_DIGEST_FIELD));
  if (expected === undefined) return { hash: whole, matches: () => true };
  const own = digester();
  return {
    hash: {
      update(bytes) {
        own.update(bytes);
        whole?.update(bytes);
      },
      digest: () => own.digest(),
    },
    matches: () => own.digest() === expected,
  };
}

function alreadyComplete(length: number | undefined): ProblemError {
  if (length === 0) return new ProblemError("completed-upload");
  return new ProblemError("inconsistent-length", "the upload is complete; nothing can be added to it");
}

function inconsistent(record: UploadRecord, reached: number): ProblemError {
  return new ProblemError(
    "inconsistent-length",
    `the upload was announced with ${record.size} bytes, and would end at ${reached}`,
  );
}

function isTooLong(error: unknown): boolean {
  return error instanceof ProblemError && error.problem === "too-large";
}
