import type { ProblemError } from "./problem-error.ts";
import { SUBMISSION_PROBLEMS, type ProblemName } from "./problem.ts";

/** An error in the form of the kubeflow operator's REST submitter contract (rest_submission.go of its release 2.6). */
export interface SubmitterError {
  readonly submission_id: string;
  readonly status: number;
  readonly error_code: string;
  readonly message: string;
  readonly timestamp: string;
}

/**
 * The contract's name for a problem. The operator tries again only on INTERNAL_SERVER_ERROR and SUBMITTER_OVERLOADED. The
 * contract has no authentication: 401 and 403 are Kindling's own, and final for the operator like any other code.
 */
export function submitterError(problem: ProblemError, submissionId: string, now: number): SubmitterError {
  const [status, code] = statusAndCode(problem);
  const { message, hint } = problem;
  return {
    submission_id: submissionId,
    status,
    error_code: code,
    message: hint === undefined ? message : `${message} (${hint})`,
    timestamp: new Date(now).toISOString(),
  };
}

function statusAndCode({ problem, code }: ProblemError): readonly [number, string] {
  if (problem === "refused")
    return code === "TEMPLATE_INVALID" || code === "OBJECT_INVALID"
      ? [422, "INVALID_POD_TEMPLATE"]
      : [400, "INVALID_SPARK_SUBMIT_ARGS"];
  return [STATUS[problem] ?? SUBMISSION_PROBLEMS[problem].status, CODES[problem]];
}

const STATUS: Partial<Record<ProblemName, number>> = {
  "too-large": 400,
  "not-found": 400,
  "not-started": 400,
  unavailable: 500,
};

const CODES: Readonly<Record<Exclude<ProblemName, "refused">, string>> = {
  "invalid-request": "BAD_REQUEST",
  "too-large": "BAD_REQUEST",
  "not-found": "BAD_REQUEST",
  "not-started": "BAD_REQUEST",
  unauthorized: "UNAUTHORIZED",
  forbidden: "FORBIDDEN",
  "method-not-allowed": "METHOD_NOT_ALLOWED",
  "unsupported-media-type": "UNSUPPORTED_MEDIA_TYPE",
  conflict: "DRIVER_POD_ALREADY_EXISTS",
  internal: "INTERNAL_SERVER_ERROR",
  unavailable: "INTERNAL_SERVER_ERROR",
  overloaded: "SUBMITTER_OVERLOADED",
};
