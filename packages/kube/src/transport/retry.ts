import type { RetryPolicy } from "../client/options.ts";
import type { KubeError } from "../errors/kube-error.ts";

/** The longest advice of `Retry-After` that is followed; a server that asks for more is reported instead. */
const LONGEST_ADVICE_S = 60;

/** Faults of a connection that more tries do not mend. */
const LASTING_CODES: ReadonlySet<string | undefined> = new Set(["ENOTFOUND", "PROXY_REFUSED"]);

/**
 * When a request may be repeated: `always` where a second time does no harm, `unless-done` where the first one must not
 * have been carried out (creates).
 */
export type Repeatable = "always" | "unless-done";

/**
 * How long to wait before a request is sent again, in milliseconds; undefined: give up. Exponential with full jitter,
 * and at least what the server advised.
 *
 * @param error of the last attempt; its `mayHaveHappened` is about that attempt alone.
 * @param repetition 1 for the first repetition.
 */
export function retryDelayMs(
  error: KubeError,
  repeatable: Repeatable,
  repetition: number,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (repetition > policy.limit || !mayRepeat(error, repeatable)) return undefined;
  const backoff = random() * Math.min(policy.capMs, policy.baseMs * 2 ** (repetition - 1));
  const advice = error.kind === "status" ? error.retryAfterSeconds : undefined;
  if (advice === undefined) return backoff;
  // A server that advises no wait at all does not make the repetitions come faster than they would without advice.
  return advice > LONGEST_ADVICE_S ? undefined : Math.max(backoff, advice * 1000 + random() * policy.baseMs);
}

function mayRepeat(error: KubeError, repeatable: Repeatable): boolean {
  if (error.kind === "status") {
    // 429 and 503 say that nothing was done; the other 5xx leave it open.
    return error.status === 429 || error.status === 503 || (error.status >= 500 && repeatable === "always");
  }
  // A time-out has already cost the caller its patience, and the other kinds do not mend themselves.
  if (error.kind !== "unreachable" || LASTING_CODES.has(error.code)) return false;
  return repeatable === "always" || !error.mayHaveHappened;
}
