import type { IncomingMessage } from "node:http";
import type { Clock } from "@kindling/outside";
import { rateGuard, type RateLimit, TICKS_PER_WINDOW } from "@kindling/service";
import { ProblemError } from "../../errors/problem-error.ts";
import type { ChunkReleaser } from "../../memory/chunk-releaser.ts";
import { contentLength } from "../content-length.ts";
import type { DocumentLimit } from "./document-kinds.ts";

export interface DocumentReading {
  readonly limit: DocumentLimit;
  readonly rate: RateLimit;
  readonly clock: Clock;
  /**
   * Called to reserve memory before the bytes are read.
   *
   * @throws ProblemError `overloaded`
   */
  readonly reserve: (bytes: number) => void;
  /** Frees the memory of received chunks at once. */
  readonly release: ChunkReleaser;
}

// Memory is reserved in pieces if the length is not announced.
const RESERVED_STEP = 16 * 1024;
// Each piece costs some time and memory, however small it is.
const FEW_PIECES = 1024;
const LEAST_PIECE = 256;

/**
 * Reads a document's bytes: not more than its route accepts, not slower than uploads may be, and only if there is memory
 * for them.
 *
 * @throws ProblemError `too-large`, `too-slow`, `overloaded`, `incomplete-body`, `invalid-request`
 */
export function readDocument(request: IncomingMessage, reading: DocumentReading): Promise<Buffer> {
  const { limit, rate, clock, reserve, release } = reading;
  const announced = contentLength(request);
  if (announced !== undefined && announced > limit.bytes) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const guard = rateGuard(rate);
    const deadline = clock.monotonic() + longestMs(limit, rate);
    let bytes = 0;
    let pieces = 0;
    let reserved = 0;
    let cancel: () => void = () => undefined;

    function settle(): void {
      cancel();
      request.off("data", onData).off("end", onEnd).off("error", onCut).off("close", onCut);
      request.on("error", () => undefined);
      request.pause();
    }
    function fail(error: unknown): void {
      settle();
      release(chunks);
      reject(error instanceof Error ? error : new Error(String(error)));
    }
    function reserveUpTo(wanted: number): void {
      if (wanted <= reserved) return;
      reserve(wanted - reserved);
      reserved = wanted;
    }
    function onData(chunk: Buffer): void {
      bytes += chunk.length;
      pieces++;
      if (bytes > limit.bytes) return fail(tooLarge(limit));
      if (pieces > FEW_PIECES + bytes / LEAST_PIECE) {
        return fail(new ProblemError("invalid-request", "the body comes in pieces of a few bytes each"));
      }
      try {
        reserveUpTo(announced ?? Math.ceil(bytes / RESERVED_STEP) * RESERVED_STEP);
      } catch (error) {
        return fail(error);
      }
      guard.count(chunk.length);
      chunks.push(chunk);
    }
    function onEnd(): void {
      settle();
      const whole = Buffer.concat(chunks);
      release(chunks);
      resolve(whole);
    }
    const onCut = (): void => fail(new ProblemError("incomplete-body", `the body broke off after ${bytes} bytes`));
    function tick(): void {
      const { minBytesPerSecond, windowSeconds } = rate;
      if (guard.tick(false) && clock.monotonic() < deadline) return schedule();
      const slow = `less than ${minBytesPerSecond} bytes a second arrived over ${windowSeconds} s`;
      fail(new ProblemError("too-slow", slow));
    }
    function schedule(): void {
      cancel = clock.after((rate.windowSeconds * 1000) / TICKS_PER_WINDOW, tick);
    }

    try {
      reserveUpTo(announced ?? RESERVED_STEP);
    } catch (error) {
      reject(error);
      return;
    }
    schedule();
    request.on("data", onData).on("end", onEnd).on("error", onCut).on("close", onCut);
    request.resume();
  });
}

/** How long the largest document takes at the slowest rate. */
function longestMs(limit: DocumentLimit, { minBytesPerSecond, windowSeconds }: RateLimit): number {
  return (windowSeconds + limit.bytes / Math.max(1024, minBytesPerSecond)) * 1000;
}

function tooLarge({ bytes }: DocumentLimit): ProblemError {
  return new ProblemError("too-large", `a document of this kind may have ${bytes} bytes`);
}
