import { sleep, type Clock } from "@kindling/outside";

export interface ScrubPaceOptions {
  readonly timer: Clock;
  readonly bytesPerSecond: number;
  /** Whether a client is sending or fetching files. */
  readonly isBusy: () => boolean;
  readonly onBytes: (bytes: number) => void;
}

// While clients use the same disk, the scrub runs at a quarter of its rate.
const BUSY_FACTOR = 4;
const LEAST_PAUSE_MS = 20;

export class ScrubStopped extends Error {}

/**
 * Limits the reading of a file to a number of bytes a second.
 *
 * @returns a function that must be called after each read; it rejects with {@link ScrubStopped} if the signal comes
 */
export function scrubPace(
  { timer, bytesPerSecond, isBusy, onBytes }: ScrubPaceOptions,
  stopped: AbortSignal,
): (bytes: number) => Promise<void> {
  let debtMs = 0;
  let last = timer.monotonic();
  return async (bytes) => {
    onBytes(bytes);
    const now = timer.monotonic();
    const cost = (bytes / bytesPerSecond) * 1000 * (isBusy() ? BUSY_FACTOR : 1);
    debtMs = Math.max(0, debtMs + cost - (now - last));
    last = now;
    if (debtMs > LEAST_PAUSE_MS) await sleep(timer, debtMs, stopped);
    if (stopped.aborted) throw new ScrubStopped("the server is stopping");
  };
}
