import {
  formatBoolean,
  formatIntegerDictionary,
  PARTIAL_UPLOAD_MEDIA_TYPE,
  parseBoolean,
  parseDigestField,
  parseSize,
  REPR_DIGEST_FIELD,
  UPLOAD_COMPLETE_FIELD,
  UPLOAD_DRAFT_FIELD,
  UPLOAD_DRAFT_INTEROP_VERSION,
  UPLOAD_LENGTH_FIELD,
  UPLOAD_LIMIT_FIELD,
  UPLOAD_OFFSET_FIELD,
  type Digest,
} from "@kindling/staging-client";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ProblemError } from "../../errors/problem-error.ts";
import { identityOf, shareOf } from "../../http/caller.ts";
import { headerOf } from "../../http/header.ts";
import type { NewUpload } from "../../ingest/create-upload.ts";
import { holdVisible } from "../../ingest/visible-blobs.ts";
import type { UploadRecord } from "../../metadata/uploads.ts";
import type { ServerContext } from "../server-context.ts";
import { appendToUpload } from "./append-to-upload.ts";
import { holdForAll } from "./hold-for-all.ts";
import { leaseOf } from "./lease-of.ts";

interface UploadRequest {
  Params: { id: string };
}

/** Resumable uploads (draft-ietf-httpbis-resumable-upload); section numbers below are the draft's. */
export function uploadRoutes(app: FastifyInstance, context: ServerContext): void {
  const { config, sessions } = context;
  const limits = formatIntegerDictionary({ "max-size": config["limits.fileBytes"], "max-age": config["upload.ttl"] });
  app.addHook("onRequest", (_request, reply, done) => {
    void reply.header(UPLOAD_DRAFT_FIELD, UPLOAD_DRAFT_INTEROP_VERSION).header("cache-control", "no-store");
    done();
  });

  // 4.1.4: a resource that accepts uploads says so.
  app.options("/uploads", { config: { access: "anybody" } }, async (_request, reply) => {
    return await reply
      .code(204)
      .header("accept-patch", PARTIAL_UPLOAD_MEDIA_TYPE)
      .header(UPLOAD_LIMIT_FIELD, limits)
      .send();
  });

  const access = { config: { access: "identity" } } as const;
  app.post<{ Querystring: { lease?: string } }>("/uploads", access, async (request, reply) => {
    const lease = await leaseOf(context, request, request.query.lease);
    const { digest, size } = announced(request);
    const limit = config["limits.fileBytes"];
    if (size > limit) {
      const headers = { [UPLOAD_LIMIT_FIELD]: limits };
      throw new ProblemError("too-large", `the file has ${size} bytes; this server takes up to ${limit}`, { headers });
    }
    if ((await holdVisible(context, lease, [digest])).get(digest) === size) {
      return await reply
        .code(200)
        .header(UPLOAD_COMPLETE_FIELD, formatBoolean(true))
        .header(UPLOAD_OFFSET_FIELD, size)
        .send();
    }
    // This only checks, and keeps no reservation: bytes are reserved while they are being sent, not while the client is
    // away.
    context.gates.upload(request.client, shareOf(context, request, lease.namespace))();
    (await context.capacity.reserve(lease.namespace, size, digest)).release();
    const wanted = { namespace: lease.namespace, lease: lease.id, digest, size };
    // The remains of an earlier attempt may be lost; then the second call does not find them, and makes a new upload.
    const { id, progress } = (await createOrFind(context, wanted)) ?? (await createOrFind(context, wanted)) ?? gone();
    return await reply
      .code(progress.complete ? 200 : 201)
      .header("location", `/api/v1/uploads/${id}`)
      .header(UPLOAD_LIMIT_FIELD, limits)
      .header(UPLOAD_COMPLETE_FIELD, formatBoolean(progress.complete))
      .header(UPLOAD_OFFSET_FIELD, progress.offset)
      .send();
  });

  app.head<UploadRequest>("/uploads/:id", access, async (request, reply) => {
    const record = await uploadOf(context, request);
    const { offset, complete } = (await progressOf(context, record)) ?? gone();
    return await reply
      .code(204)
      .header(UPLOAD_OFFSET_FIELD, offset)
      .header(UPLOAD_COMPLETE_FIELD, formatBoolean(complete))
      .header(UPLOAD_LENGTH_FIELD, record.size)
      .header(UPLOAD_LIMIT_FIELD, limits)
      .send();
  });

  const append = { config: { access: "identity", body: "stream", transfers: true } } as const;
  app.patch<UploadRequest>("/uploads/:id", append, async (request, reply) => {
    const record = await uploadOf(context, request);
    return await appendToUpload(context, { request, reply, record });
  });

  app.delete<UploadRequest>("/uploads/:id", access, async (request, reply) => {
    const record = await uploadOf(context, request);
    await sessions.cancel(record.id);
    return await reply.code(204).send();
  });
}

/** What a creation announces about the file. Its body must be empty: with "careful creation" no bytes can be lost. */
function announced(request: FastifyRequest): { readonly digest: Digest; readonly size: number } {
  const size = parseSize(headerOf(request, UPLOAD_LENGTH_FIELD));
  const digest = parseDigestField(headerOf(request, REPR_DIGEST_FIELD));
  if (size === undefined) throw new ProblemError("length-required", "Upload-Length is missing or is no size");
  if (digest === undefined) throw new ProblemError("invalid-digest", "Repr-Digest has no sha-256 member");
  if (parseBoolean(headerOf(request, UPLOAD_COMPLETE_FIELD)) === true) {
    throw new ProblemError(
      "invalid-request",
      "create the upload with an empty body and Upload-Complete: ?0, then PATCH it",
    );
  }
  return { digest, size };
}

/**
 * The upload that a request names. An upload of others does not exist for the caller.
 *
 * @throws ProblemError `upload-gone`
 */
async function uploadOf(context: ServerContext, request: FastifyRequest<UploadRequest>): Promise<UploadRecord> {
  const record = await context.sessions.find(request.params.id);
  if (record !== undefined && (await identityOf(request).mayUpload(record.namespace)).allowed) return record;
  throw new ProblemError("upload-gone", "there is no such upload any more; create it again");
}

interface Progress {
  readonly offset: number;
  readonly complete: boolean;
}

/**
 * How far an upload is. A request that is still sending has lost its client, and is ended (4.6).
 *
 * @returns `undefined` if nothing is left of it
 */
async function progressOf(context: ServerContext, record: UploadRecord): Promise<Progress | undefined> {
  const turn = await context.sessions.begin(record.id);
  if (turn === undefined) return undefined;
  if (turn === "complete") {
    await holdForAll(context, record);
    return { offset: record.size, complete: true };
  }
  const { offset } = turn.ingest;
  await turn.suspend();
  return { offset, complete: false };
}

async function createOrFind(
  context: ServerContext,
  upload: NewUpload,
): Promise<{ readonly id: string; readonly progress: Progress } | undefined> {
  const record = await context.sessions.create(upload);
  const isNew = record.offset === 0 && record.writer === "";
  const progress = isNew ? { offset: 0, complete: false } : await progressOf(context, record);
  return progress && { id: record.id, progress };
}

function gone(): never {
  throw new ProblemError("upload-gone", "nothing is left of this upload; create it again");
}
