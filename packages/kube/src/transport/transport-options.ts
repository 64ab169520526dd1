import type { Clock } from "@kindling/outside";

export interface RetryPolicy {
  /** How often a request may be repeated. */
  readonly limit: number;
  /** Longest wait before the first repetition; doubles with each. The actual wait is random between 0 and this. */
  readonly baseMs: number;
  readonly capMs: number;
}

export interface TransportOptions {
  readonly userAgent: string;
  readonly connectTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly maxInFlight: number;
  readonly rateLimit: { readonly perSecond: number; readonly burst: number } | undefined;
  readonly retry: RetryPolicy;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onAttempt: ((attempt: RequestAttempt) => void) | undefined;
}

/** One request as it was sent; each repetition is a separate request. */
export interface RequestAttempt {
  readonly method: string;
  /** With its port, as in the URL. */
  readonly host: string;
  /** The status of the answer; undefined if there was none. */
  readonly status: number | undefined;
}
