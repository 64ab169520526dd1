import { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { Clock } from "@kindling/outside";
import { rateGuard, type RateLimit, TICKS_PER_WINDOW } from "@kindling/service";
import { receive, type ByteSink, type Digester } from "@kindling/staging-client";
import { ProblemError } from "../errors/problem-error.ts";

/** How much received data may wait in memory for the store, all uploads together. */
export interface ReceiveBudget {
  readonly bytes: number;
  /** Uploads under way. */
  active: number;
}

const MOST_QUEUED = 1024 * 1024;
const LEAST_QUEUED = 64 * 1024;
// Each piece costs some time, however small it is. A client that sends a few bytes at a time could use the whole
// processor.
const FEW_PIECES = 4096;
const LEAST_PIECE = 256;

export interface ReceiveBodyOptions {
  readonly clock: Clock;
  readonly rate: RateLimit;
  readonly budget: ReceiveBudget;
  /** Most bytes that this body may have, whatever its headers say. */
  readonly limit: number;
  /** The error for a longer body. */
  readonly tooLong: () => ProblemError;
  readonly hash: Digester | undefined;
  readonly onBytes: (bytes: number) => void;
  /** Ends it as if the client had gone away. */
  readonly signal?: AbortSignal;
}

/**
 * How a body ended. `cut`: the client went away; the received bytes are in the sink. `refused`: it may not go on.
 * `failed`: the sink could not write it.
 */
export interface ReceivedBody {
  readonly outcome: "complete" | "cut" | "refused" | "failed";
  readonly bytes: number;
  readonly error?: unknown;
}

/** Receives a request's body into a sink. It counts and hashes the bytes, and watches the sender's rate. */
export async function receiveBody(body: Readable, sink: ByteSink, options: ReceiveBodyOptions): Promise<ReceivedBody> {
  const { clock, budget, hash } = options;
  const guard = rateGuard(options.rate);
  let bytes = 0;
  let pieces = 0;
  // A parser of the body makes pieces of its own.
  const isAsSent = body instanceof IncomingMessage;
  const slow = new AbortController();
  let cancel: () => void = () => undefined;
  const tick = (): void => {
    if (guard.tick(body.isPaused())) schedule();
    else slow.abort();
  };
  function schedule(): void {
    cancel = clock.after((options.rate.windowSeconds * 1000) / TICKS_PER_WINDOW, tick);
  }

  budget.active++;
  schedule();
  try {
    const received = await receive(body, sink, {
      observe(chunk) {
        if (bytes + chunk.length > options.limit) throw options.tooLong();
        bytes += chunk.length;
        if (isAsSent && ++pieces > FEW_PIECES + bytes / LEAST_PIECE) throw inPieces();
        guard.count(chunk.length);
        hash?.update(chunk);
        options.onBytes(chunk.length);
      },
      queueLimit: () => Math.max(LEAST_QUEUED, Math.min(MOST_QUEUED, budget.bytes / budget.active)),
      signal: options.signal === undefined ? slow.signal : AbortSignal.any([options.signal, slow.signal]),
    });
    if (slow.signal.aborted) {
      const { minBytesPerSecond, windowSeconds } = options.rate;
      const detail = `less than ${minBytesPerSecond} bytes a second arrived over ${windowSeconds} s`;
      return { outcome: "refused", bytes: received.bytes, error: new ProblemError("too-slow", detail) };
    }
    return received;
  } finally {
    cancel();
    budget.active--;
  }
}

function inPieces(): ProblemError {
  return new ProblemError("invalid-request", "the body comes in pieces of a few bytes each");
}
