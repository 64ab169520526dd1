import type { Verdict } from "@kindling/http";
import { isKubeError, type KubeError } from "../errors/kube-error.ts";

/** The longest advice of `Retry-After` that is followed; a server that asks for more is reported instead. */
const LONGEST_ADVICE_S = 60;

/** Faults of a connection that do not go away with more tries. */
const LASTING_CODES: ReadonlySet<string | undefined> = new Set(["ENOTFOUND", "PROXY_REFUSED"]);

/**
 * When a request may be repeated: `always` if a second time does no harm; `unless-done` if it may be repeated only when the
 * first one was not carried out (creates).
 */
export type Repeatable = "always" | "unless-done";

/**
 * Whether a request is sent again after an error, and how long the server wants no request until then.
 *
 * @param error of the last attempt; its `mayHaveHappened` is only about that attempt.
 */
export function repetition(error: unknown, repeatable: Repeatable): Verdict {
  if (!isKubeError(error) || !mayRepeat(error, repeatable)) return "lasting";
  const advice = error.kind === "status" ? (error.retryAfterSeconds ?? 0) : 0;
  return advice > LONGEST_ADVICE_S ? "lasting" : { atLeastMs: advice * 1000 };
}

function mayRepeat(error: KubeError, repeatable: Repeatable): boolean {
  if (error.kind === "status") {
    // 429 and 503 say that nothing was done; the other 5xx leave it open.
    return error.status === 429 || error.status === 503 || (error.status >= 500 && repeatable === "always");
  }
  // After a time-out the caller has already waited long enough, and the other kinds do not go away by themselves.
  if (error.kind !== "unreachable" || LASTING_CODES.has(error.code)) return false;
  return repeatable === "always" || !error.mayHaveHappened;
}
