import { isKindlingError, messageOf } from "@kindling/core-spec";
import { failureOf, type SubmissionResult } from "@kindling/submit";

/**
 * A submission that came about, for programs. `result` tells how it ended: `succeeded`, `failed` (the driver did) and
 * `deleted`, `timed-out` if it had not ended or started in time and goes on, or `submitted` if that was not waited for.
 */
export function resultObject({ application, existed, outcome }: SubmissionResult): Record<string, unknown> {
  const result =
    outcome === undefined ? "submitted" : outcome.phase === "TimedOut" ? "timed-out" : outcome.phase.toLowerCase();
  return { result, ...application, existed, ...(outcome && { outcome }) };
}

/**
 * A submission that ended in an error, for programs: `refused`, so that there is no application, or `unfollowed`: it was
 * submitted, and goes on, and what becomes of it is not known.
 */
export function refusalObject(error: unknown): Record<string, unknown> {
  const { phase = "gather", application } = failureOf(error) ?? {};
  const known = isKindlingError(error) ? error : undefined;
  return {
    result: application === undefined ? "refused" : "unfollowed",
    ...application,
    phase,
    error: {
      code: known?.code ?? "INTERNAL",
      message: messageOf(error),
      ...(known?.hint !== undefined && { hint: known.hint }),
    },
  };
}
