import { harmlessText, type Problem, type ProblemNames, problemsByName } from "@kindling/core-spec";

/** A kind of refusal. */
export interface ProblemType extends Problem {
  readonly type: string;
}

// Problem, HTTP status, who can solve it, whether a retry helps, what it means. A name is never reused for another meaning.
const ROWS = [
  ["invalid-request", 400, "user", false, "The request is not well-formed"],
  ["invalid-digest", 400, "user", false, "Not a digest of the form sha256:<64 lower-case hex>"],
  ["digest-mismatch", 400, "user", false, "The bytes received do not have the digest announced"],
  ["incomplete-body", 400, "user", true, "The body ended before its announced length"],
  ["inconsistent-length", 400, "user", false, "The upload's lengths contradict each other"],
  ["unauthorized", 401, "user", false, "Missing or wrong credentials"],
  ["forbidden", 403, "operator", false, "These credentials may not do that"],
  ["not-found", 404, "user", false, "No such thing"],
  ["too-slow", 408, "user", true, "The bytes arrived too slowly"],
  ["lease-expired", 409, "user", false, "The lease is unknown or has expired"],
  ["mismatching-offset", 409, "user", false, "The upload continues at another offset"],
  ["conflict", 409, "user", true, "Another request changed this at the same time"],
  ["upload-gone", 410, "user", false, "The upload no longer exists"],
  ["completed-upload", 410, "user", false, "The upload is already complete"],
  ["bundle-gone", 410, "user", false, "The bundle's files are no longer here"],
  ["file-damaged", 410, "user", false, "The file was damaged in the store; it has to be uploaded again"],
  ["length-required", 411, "user", false, "A Content-Length is required"],
  ["too-large", 413, "operator", false, "Larger than this server accepts"],
  ["unsupported-media-type", 415, "user", false, "This media type is not accepted here"],
  ["range-not-satisfiable", 416, "user", false, "No byte of the file is in that range"],
  ["blobs-missing", 422, "user", false, "Files named here have not been uploaded under this lease"],
  ["limit-reached", 429, "operator", true, "The namespace has reached its limit for this"],
  ["too-many-requests", 429, "user", true, "Too many requests of this client"],
  ["too-many-uploads", 429, "user", true, "Too many uploads are open for this client"],
  ["internal", 500, "kindling", true, "The server failed"],
  ["overloaded", 503, "operator", true, "The server is at its limit of transfers"],
  ["shutting-down", 503, "operator", true, "The server is shutting down"],
  ["store-unavailable", 503, "operator", true, "The server's storage or cluster cannot be reached"],
  ["store-read-only", 503, "operator", false, "The server's storage can be read only"],
  ["no-space", 507, "operator", false, "The server's storage is full"],
  ["quota-exceeded", 507, "operator", false, "The namespace's quota is used up"],
] as const;

export type ProblemName = ProblemNames<typeof ROWS>;

// The types that draft-ietf-httpbis-resumable-upload registers; all others are this protocol's own.
const REGISTERED: Partial<Record<ProblemName, string>> = {
  "inconsistent-length": "https://iana.org/assignments/http-problem-types#inconsistent-upload-length",
  "mismatching-offset": "https://iana.org/assignments/http-problem-types#mismatching-upload-offset",
  "completed-upload": "https://iana.org/assignments/http-problem-types#completed-upload",
};

/** Every problem that a staging server reports. */
export const PROBLEMS: Readonly<Record<ProblemName, ProblemType>> = Object.fromEntries(
  Object.entries(problemsByName(ROWS)).map(([name, problem]) => [
    name,
    { ...problem, type: REGISTERED[name as ProblemName] ?? `urn:kindling:staging:${name}` },
  ]),
) as Record<ProblemName, ProblemType>;

/** The body of a refusal (RFC 9457), as `application/problem+json`. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** One sentence about this occurrence: what was wrong and what to do. */
  readonly detail?: string;
  readonly retryable: boolean;
  /** Finds the request in the server's log. */
  readonly requestId?: string;
  /** Of `mismatching-offset`. */
  readonly "expected-offset"?: number;
  readonly "provided-offset"?: number;
  /** Of `blobs-missing`. */
  readonly missing?: readonly string[];
}

export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** The name of a problem type's URI; `undefined` for an unknown type (of a proxy, or of a newer server). */
export function problemName(type: string): ProblemName | undefined {
  for (const [name, problem] of Object.entries(PROBLEMS)) if (problem.type === type) return name as ProblemName;
  return undefined;
}

/**
 * Reads the body of a refusal; its texts may then be shown. Members of a wrong type are left out.
 *
 * @param quoted makes texts of the server safe for a message
 * @returns `undefined` if the text is no problem document, as from a proxy in between
 */
export function parseProblem(
  body: string,
  quoted: (words: string) => string = (words) => harmlessText(words),
): ProblemDocument | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { type, status, title, detail, retryable, requestId, missing, ...rest } = value as Record<string, unknown>;
  if (typeof type !== "string" || typeof status !== "number") return undefined;
  const expected = rest["expected-offset"];
  const provided = rest["provided-offset"];
  return {
    type: quoted(type),
    status,
    title: quoted(typeof title === "string" ? title : type),
    retryable: retryable === true,
    ...(typeof detail === "string" && { detail: quoted(detail) }),
    ...(typeof requestId === "string" && { requestId: harmlessText(quoted(requestId), 128) }),
    ...(typeof expected === "number" && { "expected-offset": expected }),
    ...(typeof provided === "number" && { "provided-offset": provided }),
    ...(Array.isArray(missing) && { missing: missing.filter((item) => typeof item === "string").map(quoted) }),
  };
}
