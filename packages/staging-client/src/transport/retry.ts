import { isHttpError, retrying as repeating, type Verdict } from "@kindling/http";
import type { Clock } from "@kindling/outside";
import { isStagingError, StagingError } from "../errors.ts";

export interface RetryPolicy {
  /** How many failures in a row are allowed, without a byte of progress between them. */
  readonly attempts: number;
  /** Longest wait after the first failure; doubles with each. The actual wait is random between 0 and this. */
  readonly baseMs: number;
  readonly capMs: number;
  /** How long to wait for an overloaded server; such refusals do not count as failures. */
  readonly overloadedMs: number;
}

// Eight attempts with full jitter span about 30 s on average: a server can restart in this time.
export const DEFAULT_RETRY: RetryPolicy = { attempts: 8, baseMs: 500, capMs: 15_000, overloadedMs: 600_000 };

export interface RetryContext {
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly policy: RetryPolicy;
  readonly signal?: AbortSignal | undefined;
  /** Called for each failure that is retried. */
  readonly onRetry?: ((error: StagingError, waitMs: number) => void) | undefined;
}

/**
 * Repeats an operation while its errors are retryable.
 *
 * @param operation gets a function to report progress; progress resets the count of failures
 */
export async function retrying<T>(context: RetryContext, operation: (progress: () => void) => Promise<T>): Promise<T> {
  const { clock, policy, random, signal, onRetry } = context;
  const { attempts, baseMs, capMs, overloadedMs } = policy;
  const begin = clock.monotonic();
  const judge = (error: unknown): Verdict => {
    if (!isStagingError(error) || !error.retryable) return "lasting";
    const patient = error.fault === "overloaded" && clock.monotonic() - begin < overloadedMs;
    return { atLeastMs: error.retryAfterMs, patient };
  };
  const repetition = {
    ...{ clock, random, attempts, backoff: { baseMs, capMs }, signal, judge },
    onRetry: (error: unknown, waitMs: number): void => {
      if (isStagingError(error)) onRetry?.(error, waitMs);
    },
  };
  try {
    return await repeating(repetition, operation);
  } catch (error) {
    if (isHttpError(error) && error.kind === "aborted")
      throw new StagingError("cancelled", "cancelled", { cause: error });
    throw error;
  }
}
