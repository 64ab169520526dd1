import { sleep, type Clock } from "@kindling/outside";
import { httpError } from "../errors/http-error.ts";

/** How long to wait between attempts. */
export interface Backoff {
  /** Longest wait after the first failure, in milliseconds; doubles with each. */
  readonly baseMs: number;
  readonly capMs: number;
}

export interface RetryContext {
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** How many failures in a row are allowed, without progress between them; the last one becomes the error. */
  readonly attempts: number;
  readonly backoff: Backoff;
  /** Ends the waiting when it aborts. */
  readonly signal?: AbortSignal | Signals | undefined;
  /** Decides what to do about a failure. */
  readonly judge: (error: unknown) => Verdict;
  /** Called for each failure that is retried. */
  readonly onRetry?: ((error: unknown, waitMs: number) => void) | undefined;
}

type Signals = readonly (AbortSignal | undefined)[];

/** Whether a failure may pass: `lasting` becomes an error at once. */
export type Verdict =
  | "lasting"
  | {
      /** The least time to wait, as the server has asked for. */
      readonly atLeastMs?: number | undefined;
      /** Whether it does not count as a failure, for example if a server is only overloaded. */
      readonly patient?: boolean | undefined;
    };

/**
 * How long to wait after a number of failures in a row, in milliseconds: exponential with full jitter, so that clients
 * that failed together do not retry together (AWS Architecture Blog, "Exponential Backoff And Jitter").
 *
 * @param failures 1 after the first failure
 */
export function backoffMs({ baseMs, capMs }: Backoff, failures: number, random: () => number): number {
  return random() * Math.min(capMs, baseMs * 2 ** (failures - 1));
}

/**
 * Repeats an operation while its failures may pass.
 *
 * @param operation gets a function to report progress; progress resets the count of failures
 * @throws the last error of the operation; once a signal has aborted, HttpError `aborted` with that error as its cause
 */
export async function retrying<T>(context: RetryContext, operation: (progress: () => void) => Promise<T>): Promise<T> {
  const { clock, attempts, backoff, random, judge } = context;
  const { signal } = context;
  const signals: Signals = signal === undefined || signal instanceof AbortSignal ? [signal] : signal;
  let failures = 0;
  let waits = 0;
  const progress = (): void => {
    failures = 0;
    waits = 0;
  };
  for (;;) {
    try {
      return await operation(progress);
    } catch (error) {
      throwIfAborted(signals, error);
      const verdict = judge(error);
      if (verdict === "lasting") throw error;
      if (verdict.patient !== true) failures++;
      if (failures >= attempts) throw error;
      waits++;
      const wait = (verdict.atLeastMs ?? 0) + backoffMs(backoff, waits, random);
      context.onRetry?.(error, wait);
      await sleep(clock, wait, ...signals);
      throwIfAborted(signals, error);
    }
  }
}

function throwIfAborted(signals: Signals, cause: unknown): void {
  if (signals.some((signal) => signal?.aborted === true))
    throw httpError({ kind: "aborted" }, "the request", "aborted", { cause });
}
