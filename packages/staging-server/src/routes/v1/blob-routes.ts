import {
  digester,
  parseDigest,
  type Digest,
  type MissingRequest,
  type MissingResponse,
} from "@kindling/staging-client";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ProblemError } from "../../errors/problem-error.ts";
import { answerEarly } from "../../http/answer-early.ts";
import { shareOf } from "../../http/caller.ts";
import { contentLength } from "../../http/content-length.ts";
import { sendContinue } from "../../http/continue.ts";
import { takeBlob } from "../../ingest/take-blob.ts";
import { holdVisible } from "../../ingest/visible-blobs.ts";
import { missingRequestSchema } from "../schemas.ts";
import type { ServerContext } from "../server-context.ts";
import { leaseOf } from "./lease-of.ts";

/** @throws ProblemError `invalid-digest` */
export function digestParameter(text: string): Digest {
  const digest = parseDigest(text);
  if (digest === undefined) throw new ProblemError("invalid-digest");
  return digest;
}

export function missingRoute(app: FastifyInstance, context: ServerContext): void {
  const options = {
    schema: { body: missingRequestSchema },
    config: { access: "identity", body: "digests" },
  } as const;
  // The colon is part of the path; the router wants it twice.
  app.post<{ Body: MissingRequest }>("/blobs::missing", options, async (request) => {
    const lease = await leaseOf(context, request, request.body.lease);
    const sizes = new Map(request.body.digests.map(({ digest, size }) => [digestParameter(digest), size]));
    const found = await holdVisible(context, lease, [...sizes.keys()]);
    const answer: MissingResponse = {
      missing: [...sizes.keys()].filter((digest) => found.get(digest) !== sizes.get(digest)),
    };
    return answer;
  });
}

export function blobUploadRoute(app: FastifyInstance, context: ServerContext): void {
  const { blobs, leases } = context;
  app.put<{ Params: { digest: string }; Querystring: { lease?: string } }>(
    "/blobs/:digest",
    { config: { access: "identity", body: "stream", transfers: true } },
    async (request, reply) => {
      const lease = await leaseOf(context, request, request.query.lease);
      const digest = digestParameter(request.params.digest);
      const size = requiredLength(context, request);
      if ((await holdVisible(context, lease, [digest])).get(digest) === size) {
        answerEarly(request, reply, { status: 200, headers: {}, body: "" }, context.lingering);
        return reply;
      }
      const leave = context.gates.upload(request.client, shareOf(context, request, lease.namespace));
      const reservation = await context.capacity.reserve(lease.namespace, size, digest).catch((error: unknown) => {
        leave();
        throw error;
      });
      try {
        sendContinue(request.raw, reply.raw);
        await takeBlob(context, {
          request: request.raw,
          ingest: await blobs.store.begin({ id: request.id, size }),
          hash: digester(),
          expected: { digest, size },
          limit: size,
          reservation,
          pin: () => leases.pin(lease.id, [digest]),
        });
        await leases.hold(lease.id, [digest]);
        // The answer must not reveal whether the store had the blob: the client might not be allowed to know.
        return await reply.code(201).send();
      } finally {
        reservation.release();
        leave();
      }
    },
  );
}

/** @throws ProblemError `length-required`, `too-large` */
function requiredLength(context: ServerContext, request: FastifyRequest): number {
  const size = contentLength(request.raw);
  if (size === undefined) throw new ProblemError("length-required");
  const limit = context.config["limits.fileBytes"];
  if (size > limit) throw new ProblemError("too-large", `the file has ${size} bytes; this server takes up to ${limit}`);
  return size;
}
