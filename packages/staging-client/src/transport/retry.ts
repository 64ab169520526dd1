import { isHttpError, retrying as repeating, type Verdict } from "@kindling/http";
import type { Clock } from "@kindling/outside";
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
 * Repeats an operation while its errors say that it may succeed later.
 *
 * @param operation is told how to report progress; progress starts the count of failures anew
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
