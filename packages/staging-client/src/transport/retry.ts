import { sleep, type Clock } from "../clock.ts";
import { isStagingError, StagingError } from "../errors.ts";

export interface RetryPolicy {
  /** How many failures in a row, without a byte of progress between them, are borne. */
  readonly attempts: number;
  /** Longest wait after the first failure; doubles with each. The actual wait is random between 0 and this. */
  readonly baseMs: number;
  readonly capMs: number;
  /** How long an overloaded server is waited for; such refusals do not count as failures. */
  readonly overloadedMs: number;
}

// Eight attempts with full jitter span about 30 s on average: a server's restart fits in.
export const DEFAULT_RETRY: RetryPolicy = { attempts: 8, baseMs: 500, capMs: 15_000, overloadedMs: 600_000 };

export interface RetryContext {
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly policy: RetryPolicy;
  readonly signal?: AbortSignal | undefined;
  /** Told of each failure that is borne. */
  readonly onRetry?: ((error: StagingError, waitMs: number) => void) | undefined;
}

/**
 * Repeats an operation while its errors say that it may succeed later. Waits with full jitter, so that clients which
 * failed together do not come back together.
 *
 * @param operation is told how to report progress; progress starts the count of failures anew
 */
export async function retrying<T>(context: RetryContext, operation: (progress: () => void) => Promise<T>): Promise<T> {
  const { clock, policy, random, signal } = context;
  const begin = clock.monotonic();
  let failures = 0;
  let waits = 0;
  for (;;) {
    try {
      return await operation(() => {
        failures = 0;
        waits = 0;
      });
    } catch (error) {
      if (isAborted(signal)) throw new StagingError("cancelled", "cancelled", { cause: error });
      if (!isStagingError(error) || !error.retryable) throw error;
      const patient = error.fault === "overloaded" && clock.monotonic() - begin < policy.overloadedMs;
      if (!patient) failures++;
      if (failures >= policy.attempts) throw error;
      const backoff = Math.min(policy.capMs, policy.baseMs * 2 ** waits++);
      const wait = (error.retryAfterMs ?? 0) + random() * backoff;
      context.onRetry?.(error, wait);
      await sleep(clock, wait, signal);
      if (isAborted(signal)) throw new StagingError("cancelled", "cancelled", { cause: error });
    }
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
