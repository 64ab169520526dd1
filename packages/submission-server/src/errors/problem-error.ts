import { type ErrorCode, isKindlingError, messageOf } from "@kindling/core-spec";
import { type InvalidMember, invalidMember } from "./invalid-member.ts";
import { inWordsOfHttp } from "./words-of-http.ts";
import { type ProblemName, SUBMISSION_PROBLEMS } from "./problem.ts";

export interface ProblemOptions {
  /** The code of the original error. */
  readonly code?: ErrorCode | undefined;
  /** What the client can do about it. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** An error that is answered to the client. */
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

/** The problem for the client. Details of unexpected errors go only to the log. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (isKindlingError(error)) {
    const problem = problemOf(error.code);
    if (problem === "internal") return internal(error);
    // How the service reaches its cluster is not shown to clients.
    if (SERVICE_OWN.has(error.code))
      return new ProblemError(problem, "the cluster cannot be reached at present", { code: error.code, cause: error });
    const hint = error.hint === undefined ? undefined : inWordsOfHttp(error.hint);
    return new ProblemError(problem, error.message, { code: error.code, hint, cause: error });
  }
  return ofFramework(error) ?? internal(error);
}

const SERVICE_OWN: ReadonlySet<ErrorCode> = new Set(["CLUSTER_UNREACHABLE", "CLUSTER_UNAUTHENTICATED"]);

function internal(cause: unknown): ProblemError {
  return new ProblemError("internal", "the request failed; the service's log says why", { cause });
}

/** Errors of Fastify and its parsers. */
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
  const { detail, hint } = invalidMember(error) ?? WORDS[problem] ?? { detail: messageOf(error) };
  return new ProblemError(problem, detail, { hint });
}

/** For cases in which Fastify's own words do not say what to do. */
const WORDS: Readonly<Partial<Record<ProblemName, InvalidMember>>> = {
  "unsupported-media-type": {
    detail: "the body is not sent as JSON",
    hint: "send it with the header content-type: application/json",
  },
  "too-large": {
    detail: "the body is longer than the service's limits.requestBytes",
    hint: "name files by URIs, and put long arguments into a file; or ask for a higher limits.requestBytes",
  },
};

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
    case "POD_FAILED":
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
    case "KERBEROS_FAILED":
    case "KDC_UNREACHABLE":
    case "TOKEN_REFUSED":
    case "OBJECT_INVALID":
    case "STEP_FAILED":
    case "UNSUPPORTED":
      return "refused";
  }
}
