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
import type { ServerContext } from "../../context.ts";
import { streamBodies } from "../../http/app.ts";
import { contentLength } from "../../http/content-length.ts";
import { headerOf } from "../../http/header.ts";
import { identify, requireUploadBy } from "../../http/identity.ts";
import type { UploadRecord } from "../../metadata/uploads.ts";
import { ProblemError } from "../../problem-error.ts";
import { holdVisible } from "../../visible-blobs.ts";
import { appendToUpload } from "./append-to-upload.ts";
import { leaseOf } from "./lease-of.ts";

interface UploadRequest {
  Params: { id: string };
}

/** Resumable uploads (draft-ietf-httpbis-resumable-upload); section numbers below are the draft's. */
export function uploadRoutes(app: FastifyInstance, context: ServerContext): void {
  const { config, sessions } = context;
  streamBodies(app);
  const limits = formatIntegerDictionary({ "max-size": config["limits.fileBytes"], "max-age": config["upload.ttl"] });
  app.addHook("onRequest", (_request, reply, done) => {
    void reply.header(UPLOAD_DRAFT_FIELD, UPLOAD_DRAFT_INTEROP_VERSION).header("cache-control", "no-store");
    done();
  });

  // 4.1.4: a resource that takes uploads says so.
  app.options("/uploads", async (_request, reply) => {
    return await reply
      .code(204)
      .header("accept-patch", PARTIAL_UPLOAD_MEDIA_TYPE)
      .header(UPLOAD_LIMIT_FIELD, limits)
      .send();
  });

  app.post<{ Querystring: { lease?: string } }>("/uploads", async (request, reply) => {
    const { lease, identity } = await leaseOf(context, request, request.query.lease);
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
    // Only asked, not kept: the bytes are reserved while they are being sent, not while the client is away.
    context.gates.upload(identity.subject)();
    (await context.capacity.reserve(lease.namespace, size)).release();
    const upload = await sessions.create({ namespace: lease.namespace, lease: lease.id, digest, size });
    const turn = upload.offset > 0 || upload.writer !== "" ? await offsetOf(context, upload.id) : 0;
    return await reply
      .code(201)
      .header("location", `/api/v1/uploads/${upload.id}`)
      .header(UPLOAD_LIMIT_FIELD, limits)
      .header(UPLOAD_COMPLETE_FIELD, formatBoolean(false))
      .header(UPLOAD_OFFSET_FIELD, turn)
      .send();
  });

  app.head<UploadRequest>("/uploads/:id", async (request, reply) => {
    const record = await uploadOf(context, request);
    const offset = record.complete ? record.size : await offsetOf(context, record.id);
    return await reply
      .code(204)
      .header(UPLOAD_OFFSET_FIELD, offset)
      .header(UPLOAD_COMPLETE_FIELD, formatBoolean(record.complete))
      .header(UPLOAD_LENGTH_FIELD, record.size)
      .header(UPLOAD_LIMIT_FIELD, limits)
      .send();
  });

  app.patch<UploadRequest>("/uploads/:id", { config: { streamsBody: true } }, async (request, reply) => {
    const identity = await identify(context, request);
    const record = await uploadOf(context, request);
    return await appendToUpload(context, { request, reply, record, subject: identity.subject });
  });

  app.delete<UploadRequest>("/uploads/:id", async (request, reply) => {
    const record = await uploadOf(context, request);
    await sessions.cancel(record.id);
    return await reply.code(204).send();
  });
}

/** What a creation says of the file. It must be empty: "careful creation" leaves nothing to be lost. */
function announced(request: FastifyRequest): { readonly digest: Digest; readonly size: number } {
  const size = parseSize(headerOf(request, UPLOAD_LENGTH_FIELD));
  const digest = parseDigestField(headerOf(request, REPR_DIGEST_FIELD));
  if (size === undefined) throw new ProblemError("length-required", "Upload-Length is missing or is no size");
  if (digest === undefined) throw new ProblemError("invalid-digest", "Repr-Digest has no sha-256 member");
  if (contentLength(request.raw) !== 0 || parseBoolean(headerOf(request, UPLOAD_COMPLETE_FIELD)) === true) {
    throw new ProblemError(
      "invalid-request",
      "create the upload with an empty body and Upload-Complete: ?0, then PATCH it",
    );
  }
  return { digest, size };
}

/** @throws ProblemError `unauthorized`, `forbidden`, `not-found` */
async function uploadOf(context: ServerContext, request: FastifyRequest<UploadRequest>): Promise<UploadRecord> {
  const identity = await identify(context, request);
  const record = await context.sessions.find(request.params.id);
  if (record === undefined) throw new ProblemError("upload-gone", "there is no such upload any more; create it anew");
  await requireUploadBy(identity, record.namespace);
  return record;
}

/** How far an upload is. Whoever is sending to it has lost touch with its client, and is ended (4.6). */
async function offsetOf(context: ServerContext, id: string): Promise<number> {
  const turn = await context.sessions.begin(id);
  if (turn === undefined) throw new ProblemError("upload-gone", "nothing is left of this upload; create it anew");
  if (turn === "complete") return (await context.sessions.find(id))?.size ?? 0;
  const { offset } = turn.ingest;
  await turn.suspend();
  return offset;
}
