import { type ErrorCode, isKindlingError, messageOf } from "@kindling/core-spec";
import { invalidMember } from "./invalid-member.ts";
import { type ProblemName, SUBMISSION_PROBLEMS } from "./problem.ts";

export interface ProblemOptions {
  /** The code of the error that is behind it. */
  readonly code?: ErrorCode | undefined;
  /** What the client can do about it. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** A refusal on its way to the client. */
export class ProblemError extends Error {
  readonly problem: ProblemName;
  readonly code: ErrorCode | undefined;
  readonly hint: string | undefined;

  /** @param detail one sentence for the client: what was wrong */
  constructor(problem: ProblemName, detail?: string, { code, hint, cause }: ProblemOptions = {}) {
    super(detail ?? SUBMISSION_PROBLEMS[problem].title, cause === undefined ? undefined : { cause });
    this.name = "ProblemError";
    this.problem = problem;
    this.code = code;
    this.hint = hint;
  }
}

/** What an error is to a client. What nobody foresaw is told only to the log. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (isKindlingError(error)) {
    const problem = problemOf(error.code);
    if (problem === "internal") return internal(error);
    // How the service reaches its cluster is no client's business.
    if (SERVICE_OWN.has(error.code))
      return new ProblemError(problem, "the cluster cannot be reached at present", { code: error.code, cause: error });
    return new ProblemError(problem, error.message, { code: error.code, hint: error.hint, cause: error });
  }
  return ofFramework(error) ?? internal(error);
}

const SERVICE_OWN: ReadonlySet<ErrorCode> = new Set(["CLUSTER_UNREACHABLE", "CLUSTER_UNAUTHENTICATED"]);

function internal(cause: unknown): ProblemError {
  return new ProblemError("internal", "the request failed; the service's log says why", { cause });
}

/** What Fastify and its parsers refuse. */
function ofFramework(error: unknown): ProblemError | undefined {
  if (!(error instanceof Error)) return undefined;
  const status: unknown = Reflect.get(error, "statusCode");
  const names: Readonly<Record<number, ProblemName>> = {
    400: "invalid-request",
    404: "not-found",
    413: "too-large",
    414: "invalid-request",
    415: "unsupported-media-type",
  };
  const problem = typeof status === "number" ? names[status] : undefined;
  if (problem === undefined) return undefined;
  const member = invalidMember(error);
  return new ProblemError(problem, member?.detail ?? messageOf(error), { hint: member?.hint });
}

function problemOf(code: ErrorCode): ProblemName {
  switch (code) {
    case "CLUSTER_FORBIDDEN":
      return "forbidden";
    case "OBJECT_NOT_FOUND":
      return "not-found";
    case "NOT_STARTED":
      return "not-started";
    case "OBJECT_CONFLICT":
      return "conflict";
    case "CLUSTER_UNREACHABLE":
    case "CLUSTER_REFUSED":
    case "CLUSTER_UNAUTHENTICATED":
    case "INTERRUPTED":
      return "unavailable";
    case "INTERNAL":
    case "KUBECONFIG_INVALID":
    case "STEP_INVALID":
    case "STEP_NOT_ADDITIVE":
    case "STEP_NOT_FOUND":
    case "STEP_ORDER":
    case "FILE_UNREADABLE":
      return "internal";
    case "ARGUMENT_INVALID":
    case "CONF_INVALID":
    case "CONF_CONFLICT":
    case "CONF_MISSING":
    case "ACCESS_DENIED":
    case "FILE_UNPARSABLE":
    case "TEMPLATE_INVALID":
    case "URI_UNSUPPORTED":
    case "UPLOAD_FAILED":
    case "OBJECT_INVALID":
    case "STEP_FAILED":
    case "UNSUPPORTED":
      return "refused";
  }
}
