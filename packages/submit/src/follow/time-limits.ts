import type { Clock } from "@kindling/outside";

/** For how long an application is followed, in milliseconds, from the moment when following begins. */
export interface TimeLimits {
  /** To its end. */
  readonly timeoutMs?: number | undefined;
  /** Until the container that runs Spark has started. */
  readonly pendingTimeoutMs?: number | undefined;
}

/** Which limit is over. */
export type ExceededLimit = "timeout" | "pending-timeout";

export interface RunningLimits {
  /** The one that is over. */
  readonly exceeded: () => ExceededLimit | undefined;
  /** Spark's container has started: the limit for that is kept. */
  readonly started: () => void;
  readonly stop: () => void;
}

/** A timer of Node's cannot be longer. */
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
