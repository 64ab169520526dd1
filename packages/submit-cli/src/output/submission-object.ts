import { isKindlingError, messageOf } from "@kindling/core-spec";
import { failureOf, type SubmissionResult } from "@kindling/submit";

/**
 * A successful submission, for programs. `result` says how the application ended: `succeeded`, `failed` (the driver failed)
 * or `deleted`; `timed-out` if it did not end or start in time and goes on; `submitted` if its end was not waited for.
 */
export function resultObject({ application, existed, outcome }: SubmissionResult): Record<string, unknown> {
  const result =
    outcome === undefined ? "submitted" : outcome.phase === "TimedOut" ? "timed-out" : outcome.phase.toLowerCase();
  return { result, ...application, existed, ...(outcome && { outcome }) };
}

/**
 * A submission that ended in an error, for programs: `refused` if there is no application, or `unfollowed` if it was
 * submitted and goes on, but its end is not known.
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
