import { type Problem, type ProblemNames, problemsByName } from "@kindling/core-spec";

// Problem, HTTP status, who can solve it, whether a retry helps, what it means.
const ROWS = [
  ["invalid-request", 400, "user", false, "the request is not what the API takes"],
  ["unauthorized", 401, "user", false, "the credentials are missing, or not accepted"],
  ["forbidden", 403, "operator", false, "this client may not do that in this namespace"],
  ["not-found", 404, "user", false, "there is no such thing"],
  ["method-not-allowed", 405, "user", false, "this path is not for this method"],
  ["conflict", 409, "user", false, "another object has the name already"],
  ["not-started", 409, "user", true, "the container has not started: there is no log yet"],
  ["too-large", 413, "user", false, "the request is longer than the service reads"],
  ["unsupported-media-type", 415, "user", false, "the body is of a type that the service does not read"],
  ["refused", 422, "user", false, "what was asked for cannot be carried out as it is"],
  ["internal", 500, "kindling", false, "a fault of the service itself; its log says more"],
  [
    "unavailable",
    503,
    "operator",
    true,
    "the API server cannot be asked at present, or refuses for a reason of its own",
  ],
  ["overloaded", 503, "operator", true, "as much as the limits allow is under way"],
] as const;

export type ProblemName = ProblemNames<typeof ROWS>;

/** Every problem that the submission service returns (RFC 9457), by the end of its `type`. */
export const SUBMISSION_PROBLEMS: Readonly<Record<ProblemName, Problem>> = problemsByName(ROWS);
