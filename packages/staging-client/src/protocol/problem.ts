import { harmlessText, type Audience } from "@kindling/core-spec";

/** A kind of refusal. */
export interface ProblemType {
  readonly type: string;
  /** The HTTP status. */
  readonly status: number;
  /** What it means, in a few words. */
  readonly title: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** Who can fix it: the client, the operator of the server, or its developers. */
  readonly audience: Audience;
}

// Name, HTTP status, title, whether the same request may succeed later, who can fix it. A name is never reused for
// another meaning.
const ROWS = [
  ["invalid-request", 400, "The request is not well-formed", false, "user"],
  ["invalid-digest", 400, "Not a digest of the form sha256:<64 lower-case hex>", false, "user"],
  ["digest-mismatch", 400, "The bytes received do not have the digest announced", false, "user"],
  ["incomplete-body", 400, "The body ended before its announced length", true, "user"],
  ["inconsistent-length", 400, "The upload's lengths contradict each other", false, "user"],
  ["unauthorized", 401, "Missing or wrong credentials", false, "user"],
  ["forbidden", 403, "These credentials may not do that", false, "operator"],
  ["not-found", 404, "No such thing", false, "user"],
  ["too-slow", 408, "The bytes arrived too slowly", true, "user"],
  ["lease-expired", 409, "The lease is unknown or has expired", false, "user"],
  ["mismatching-offset", 409, "The upload continues at another offset", false, "user"],
  ["conflict", 409, "Another request changed this at the same time", true, "user"],
  ["upload-gone", 410, "The upload no longer exists", false, "user"],
  ["completed-upload", 410, "The upload is already complete", false, "user"],
  ["bundle-gone", 410, "The bundle's files are no longer here", false, "user"],
  ["file-damaged", 410, "The file was damaged in the store; it has to be uploaded again", false, "user"],
  ["length-required", 411, "A Content-Length is required", false, "user"],
  ["too-large", 413, "Larger than this server accepts", false, "operator"],
  ["unsupported-media-type", 415, "This media type is not accepted here", false, "user"],
  ["range-not-satisfiable", 416, "No byte of the file is in that range", false, "user"],
  ["blobs-missing", 422, "Files named here have not been uploaded under this lease", false, "user"],
  ["limit-reached", 429, "The namespace has reached its limit for this", true, "operator"],
  ["too-many-requests", 429, "Too many requests of this client", true, "user"],
  ["too-many-uploads", 429, "Too many uploads are open for this client", true, "user"],
  ["internal", 500, "The server failed", true, "kindling"],
  ["overloaded", 503, "The server is at its limit of transfers", true, "operator"],
  ["shutting-down", 503, "The server is shutting down", true, "operator"],
  ["store-unavailable", 503, "The server's storage or cluster cannot be reached", true, "operator"],
  ["store-read-only", 503, "The server's storage can be read only", false, "operator"],
  ["no-space", 507, "The server's storage is full", false, "operator"],
  ["quota-exceeded", 507, "The namespace's quota is used up", false, "operator"],
] as const;

export type ProblemName = (typeof ROWS)[number][0];

// The types that draft-ietf-httpbis-resumable-upload registers; all others are this protocol's own.
const REGISTERED: Partial<Record<ProblemName, string>> = {
  "inconsistent-length": "https://iana.org/assignments/http-problem-types#inconsistent-upload-length",
  "mismatching-offset": "https://iana.org/assignments/http-problem-types#mismatching-upload-offset",
  "completed-upload": "https://iana.org/assignments/http-problem-types#completed-upload",
};

/** Every problem that a staging server reports. */
export const PROBLEMS: Readonly<Record<ProblemName, ProblemType>> = Object.fromEntries(
  ROWS.map(([name, status, title, retryable, audience]) => [
    name,
    { type: REGISTERED[name] ?? `urn:kindling:staging:${name}`, status, title, retryable, audience },
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
