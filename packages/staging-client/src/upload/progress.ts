import type { Clock } from "@kindling/outside";
import { rateMeter } from "../transfer/rate-meter.ts";

/** How far an upload of several files is. Sizes are bytes. */
export interface UploadProgress {
  readonly files: number;
  readonly bytes: number;
  readonly filesHashed: number;
  readonly bytesHashed: number;
  /** Files that the server has already, or that are the same as another one of this upload. */
  readonly filesSkipped: number;
  readonly bytesSkipped: number;
  readonly filesSent: number;
  /** Bytes of files that were sent; bytes that were lost and have to be sent again are subtracted. */
  readonly bytesSent: number;
  /** Bytes per second over the last few seconds. */
  readonly rate: number;
  /** How many retries there were. */
  readonly retries: number;
  readonly done: boolean;
}

type Counter = Exclude<keyof UploadProgress, "rate" | "done">;

/** Counts, and calls a listener at most ten times a second, and at the end. */
export interface ProgressTracker {
  add(counter: Counter, amount: number): void;
  /** Bytes of a body were sent. */
  sent(bytes: number): void;
  /** Everything is requested and sent again. */
  restart(): void;
  finish(): void;
  current(): UploadProgress;
}

const INTERVAL_MS = 100;

export function progressTracker(
  clock: Clock,
  total: { readonly files: number; readonly bytes: number },
  listener: ((progress: UploadProgress) => void) | undefined,
): ProgressTracker {
  const counts: Record<Counter, number> = {
    ...total,
    filesHashed: 0,
    bytesHashed: 0,
    filesSkipped: 0,
    bytesSkipped: 0,
    filesSent: 0,
    bytesSent: 0,
    retries: 0,
  };
  const meter = rateMeter();
  let told = -Infinity;
  let done = false;
  const current = (): UploadProgress => ({ ...counts, rate: meter.rate(clock.monotonic()), done });
  const tell = (): void => {
    const now = clock.monotonic();
    if (!done && now - told < INTERVAL_MS) return;
    told = now;
    listener?.(current());
  };
  return {
    add(counter, amount) {
      counts[counter] += amount;
      tell();
    },
    sent(bytes) {
      counts.bytesSent += bytes;
      meter.add(bytes, clock.monotonic());
      tell();
    },
    restart() {
      counts.filesSkipped = counts.bytesSkipped = counts.filesSent = counts.bytesSent = 0;
      counts.retries++;
    },
    finish() {
      done = true;
      tell();
    },
    current,
  };
}
