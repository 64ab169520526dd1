import type { Readable } from "node:stream";
import type { Clock } from "@kindling/outside";
import type { Digest, Digester } from "@kindling/staging-client";
import type { Blobs } from "../blobs/blobs.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { ProblemError, storageProblem } from "../errors/problem-error.ts";
import type { Reservation } from "../ledger/reservation.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Ingest } from "../stores/blob-store.ts";
import { receiveBody, type ReceiveBudget, type ReceivedBody } from "./receive-body.ts";
import { verifyAndPublish, type PublishedBlob } from "./verify-and-publish.ts";

export interface BodyToTake {
  readonly request: Readable;
  readonly ingest: Ingest;
  readonly hash: Digester | undefined;
  /** Most bytes that the body may have. */
  readonly limit: number;
  readonly reservation: Reservation;
  readonly signal?: AbortSignal;
}

export interface BlobToTake extends BodyToTake {
  readonly expected: { readonly digest: Digest; readonly size: number };
  readonly pin: (digest: Digest) => Promise<void>;
}

/** What is needed to receive files. */
export interface TakingContext {
  readonly blobs: Blobs;
  readonly metrics: Pick<Metrics, "transfers" | "receivedBytes" | "uploads">;
  readonly clock: Clock;
  readonly config: Pick<ServerConfig, "limits.minRate" | "limits.minRateWindow">;
  readonly receiveBudget: ReceiveBudget;
}

/** Receives a body into an ingest, and counts it in metrics and reservation. */
export async function takeBody(context: TakingContext, body: BodyToTake): Promise<ReceivedBody> {
  const { metrics, clock, config, receiveBudget } = context;
  metrics.transfers.inc({ direction: "in" });
  try {
    return await receiveBody(body.request, body.ingest, {
      clock,
      rate: { minBytesPerSecond: config["limits.minRate"], windowSeconds: config["limits.minRateWindow"] },
      budget: receiveBudget,
      limit: body.limit,
      tooLong: () => new ProblemError("too-large", `the body is longer than the ${body.limit} bytes that it may have`),
      hash: body.hash,
      onBytes(bytes) {
        metrics.receivedBytes.inc(bytes);
        body.reservation.written(bytes);
      },
      ...(body.signal !== undefined && { signal: body.signal }),
    });
  } finally {
    metrics.transfers.dec({ direction: "in" });
  }
}

/**
 * Receives a whole blob from one body, verifies it and publishes it. If that fails, nothing is left of it.
 *
 * @throws ProblemError
 */
export async function takeBlob(context: TakingContext, blob: BlobToTake): Promise<PublishedBlob> {
  const { metrics, blobs } = context;
  const received = await takeBody(context, blob).catch(async (error: unknown) => {
    await blob.ingest.abort();
    throw error;
  });
  if (received.outcome !== "complete") {
    metrics.uploads.inc({ outcome: received.outcome });
    await blob.ingest.abort();
    throw bodyProblem(received);
  }
  const { ingest, hash, expected, pin } = blob;
  try {
    const published = await verifyAndPublish(blobs, { ingest, hash, expected, pin });
    blob.reservation.settle(published.digest, published.size);
    metrics.uploads.inc({ outcome: published.outcome });
    return published;
  } catch (error) {
    metrics.uploads.inc({ outcome: error instanceof ProblemError ? "refused" : "failed" });
    throw error;
  }
}

/** The error for the client of a body that was not received completely. */
export function bodyProblem(received: ReceivedBody): unknown {
  if (received.outcome === "cut") {
    return new ProblemError("incomplete-body", `the body broke off after ${received.bytes} bytes`);
  }
  return storageProblem(received.error);
}
