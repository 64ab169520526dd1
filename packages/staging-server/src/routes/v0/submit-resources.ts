import type { Readable } from "node:stream";
import {
  digester,
  type Digest,
  type Digester,
  type StagedResourcesOwner,
  type V0Submitted,
} from "@kindling/staging-client";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Identity } from "../../auth/authenticator.ts";
import { ProblemError } from "../../errors/problem-error.ts";
import { submitterOf } from "../../http/caller.ts";
import { contentLength } from "../../http/content-length.ts";
import { sendContinue } from "../../http/continue.ts";
import { requireUploadBy } from "../../auth/rights.ts";
import { checkOwner, commitBundle } from "../../ingest/commit-bundle.ts";
import { bodyProblem, takeBody } from "../../ingest/take-blob.ts";
import { verifyAndPublish } from "../../ingest/verify-and-publish.ts";
import type { Reservation } from "../../ledger/reservation.ts";
import type { Ingest } from "../../stores/blob-store.ts";
import type { ServerContext } from "../server-context.ts";
import { MULTIPART_MEMORY, readMultipartBundle } from "./multipart-bundle.ts";

// Room is reserved in steps of this size for a body whose length is not announced.
const RESERVATION_STEP = 64 * 1024 * 1024;

/**
 * Receives a bundle in the old fork's protocol. The file comes first and its owner last, so the bytes go into an ingest
 * without a namespace. They are charged and published when the owner is known. They become one blob and a bundle with one
 * file, with deduplication, quota and life cycle like any other.
 */
export async function submitResources(
  context: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<V0Submitted> {
  const { capacity, config, gates, documentMemory } = context;
  const identity = submitterOf(request);
  // The namespace comes last; until then the client is used instead.
  const leave = gates.upload(request.client, request.client);
  const forget = documentMemory.take(request.client, MULTIPART_MEMORY);
  try {
    if (forget === undefined) throw new ProblemError("overloaded", undefined, { retryAfterSeconds: 2 });
    const announced = contentLength(request.raw);
    const reservation = await capacity.reserve(undefined, announced ?? RESERVATION_STEP);
    try {
      sendContinue(request.raw, reply.raw);
      const taken = new TakenFile(context, request.id, reservation, announced === undefined);
      try {
        const owner = await readMultipartBundle(request.raw, {
          maxFileBytes: config["limits.fileBytes"],
          rate: { minBytesPerSecond: config["limits.minRate"], windowSeconds: config["limits.minRateWindow"] },
          clock: context.clock,
          onResources: (file) => taken.take(file),
        });
        return await commit(context, { taken, owner: parseOwner(context, owner), identity, reservation });
      } finally {
        await taken.abandon();
      }
    } finally {
      reservation.release();
    }
  } finally {
    forget?.();
    leave();
  }
}

/** The file's bytes while they arrive; in any case they are published or dropped at the end. */
class TakenFile {
  readonly hash: Digester = digester();
  readonly #context: ServerContext;
  readonly #id: string;
  readonly #reservation: Reservation;
  readonly #grows: boolean;
  ingest: Ingest | undefined;

  constructor(context: ServerContext, id: string, reservation: Reservation, grows: boolean) {
    this.#context = context;
    this.#id = id;
    this.#reservation = reservation;
    this.#grows = grows;
  }

  async take(file: Readable): Promise<void> {
    const { blobs, config, metrics } = this.#context;
    const ingest = await blobs.store.begin({ id: this.#id, size: undefined });
    this.ingest = ingest;
    const growing = this.#grows ? growingIngest(ingest, this.#reservation) : ingest;
    const received = await takeBody(this.#context, {
      request: file,
      ingest: growing,
      hash: this.hash,
      limit: config["limits.fileBytes"],
      reservation: this.#reservation,
    });
    if (received.outcome === "complete") return;
    metrics.uploads.inc({ outcome: received.outcome });
    throw bodyProblem(received);
  }

  async abandon(): Promise<void> {
    await this.ingest?.abort();
  }
}

function growingIngest(ingest: Ingest, reservation: Reservation): Ingest {
  let room = RESERVATION_STEP;
  return {
    get offset() {
      return ingest.offset;
    },
    async write(chunks) {
      room -= chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      if (room < 0) {
        await reservation.grow(RESERVATION_STEP);
        room += RESERVATION_STEP;
      }
      await ingest.write(chunks);
    },
    suspend: () => ingest.suspend(),
    seal: () => ingest.seal(),
    abandon: () => ingest.abandon(),
    abort: () => ingest.abort(),
  };
}

interface Commit {
  readonly taken: TakenFile;
  readonly owner: StagedResourcesOwner;
  readonly identity: Identity | undefined;
  readonly reservation: Reservation;
}

async function commit(context: ServerContext, { taken, owner, identity, reservation }: Commit): Promise<V0Submitted> {
  const { leases, blobs, config, metrics } = context;
  if (identity !== undefined) await requireUploadBy(identity, owner.ownerNamespace);
  reservation.charge(owner.ownerNamespace);
  const { ingest, hash } = taken;
  if (ingest === undefined) throw new Error("a file that was read has an ingest");
  const lease = await leases.open(owner.ownerNamespace, identity?.subject ?? "anonymous", config["lease.ttl"]);
  const pin = (digest: Digest): Promise<void> => leases.pin(lease.id, [digest]);
  taken.ingest = undefined;
  const { digest, size, outcome } = await verifyAndPublish(blobs, { ingest, hash, expected: undefined, pin });
  metrics.uploads.inc({ outcome });
  reservation.settle(digest, size);
  await leases.hold(lease.id, [digest]);
  const bundle = await commitBundle(context, {
    wire: "v0",
    lease,
    owner,
    files: [{ name: "resources.tar.gz", kind: "archive", digest, size, mode: 0o644 }],
    unusedSeconds: config["lifecycle.unusedTtl"],
  });
  return { resourceId: bundle.bundleId, resourceSecret: bundle.secret };
}

function parseOwner(context: ServerContext, text: string): StagedResourcesOwner {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ProblemError("invalid-request", "the part resourcesOwner is no JSON");
  }
  const { ownerNamespace, ownerLabels, ownerType } = (value ?? {}) as Record<string, unknown>;
  const labels = Object.entries(ownerLabels ?? {});
  if (
    typeof ownerNamespace !== "string" ||
    typeof ownerType !== "string" ||
    !labels.every((label): label is [string, string] => typeof label[1] === "string")
  ) {
    throw new ProblemError("invalid-request", "resourcesOwner needs ownerNamespace, ownerLabels and ownerType");
  }
  const owner = { ownerNamespace, ownerLabels: Object.fromEntries(labels), ownerType };
  checkOwner(context, owner);
  return owner;
}
