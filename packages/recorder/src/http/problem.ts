import { type Problem, type ProblemNames, problemsByName } from "@kindling/core-spec";

// Problem, HTTP status, who can solve it, whether a retry helps, what it means.
const ROWS = [
  ["invalid-request", 400, "user", false, "the request is not what the API takes"],
  ["unauthorized", 401, "user", false, "the credentials are missing, or not accepted"],
  ["forbidden", 403, "operator", false, "this client may not read what is kept of this namespace"],
  ["not-found", 404, "user", false, "nothing like this is kept, or this client may not read it"],
  ["conflict", 409, "kindling", true, "what was sent does not continue what the recorder has"],
  ["too-large", 413, "operator", false, "what was sent is larger than the settings allow"],
  ["internal", 500, "kindling", false, "a fault of the recorder itself; its log says more"],
  ["unavailable", 503, "operator", true, "the archive or the API server does not answer at present"],
  ["overloaded", 503, "operator", true, "as much as the limits allow is under way"],
] as const;

export type ProblemName = ProblemNames<typeof ROWS>;

/** Every problem that the recorder returns (RFC 9457), by the end of its `type`. */
export const RECORDER_PROBLEMS: Readonly<Record<ProblemName, Problem>> = problemsByName(ROWS);

/** An error that is answered to the client. */
export class ProblemError extends Error {
  readonly problem: ProblemName;
  /** What the client can do about it. */
  readonly hint: string | undefined;

  /** @param detail one sentence for the client: what was wrong */
  constructor(
    problem: ProblemName,
    detail?: string,
    { hint, cause }: { readonly hint?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(detail ?? RECORDER_PROBLEMS[problem].title, cause === undefined ? undefined : { cause });
    this.name = "ProblemError";
    this.problem = problem;
    this.hint = hint;
  }
}
