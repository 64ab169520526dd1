import type { Clock } from "@kindling/outside";

/** How long an application is followed, in milliseconds, from the start of following. */
export interface TimeLimits {
  /** The limit until the application's end. */
  readonly timeoutMs?: number | undefined;
  /** The limit until the container that runs Spark has started. */
  readonly pendingTimeoutMs?: number | undefined;
}

/** The limit that has passed. */
export type ExceededLimit = "timeout" | "pending-timeout";

export interface RunningLimits {
  /** The limit that has passed, if any. */
  readonly exceeded: () => ExceededLimit | undefined;
  /** Spark's container has started, so the limit for its start no longer counts. */
  readonly started: () => void;
  readonly stop: () => void;
}

/** Node's timers cannot be longer. */
const LONGEST_MS = 2 ** 31 - 1;

/** @param onExceeded called once */
export function startLimits(
  clock: Clock,
  { timeoutMs, pendingTimeoutMs }: TimeLimits,
  onExceeded: () => void,
): RunningLimits {
  let exceeded: ExceededLimit | undefined;
  const start = (limit: ExceededLimit, milliseconds: number | undefined): (() => void) => {
    if (milliseconds === undefined) return () => undefined;
    return clock.after(Math.min(milliseconds, LONGEST_MS), () => {
      if (exceeded !== undefined) return;
      exceeded = limit;
      onExceeded();
    });
  };
  const cancelPending = start("pending-timeout", pendingTimeoutMs);
  const cancelWhole = start("timeout", timeoutMs);
  return {
    exceeded: () => exceeded,
    started: cancelPending,
    stop() {
      cancelPending();
      cancelWhole();
    },
  };
}
