import { PROBLEMS, type ProblemDocument, type ProblemName } from "@kindling/staging-client";
import { StoreError } from "./store-error.ts";

export interface ProblemOptions {
  /** For `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Members of the problem document besides the usual ones. */
  readonly members?: Pick<ProblemDocument, "missing" | "expected-offset" | "provided-offset">;
  /** Header fields of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A refusal on its way to the client. */
export class ProblemError extends Error {
  readonly problem: ProblemName;
  readonly options: ProblemOptions;

  /** @param detail one sentence for the client: what was wrong, and what to do */
  constructor(problem: ProblemName, detail?: string, options: ProblemOptions = {}) {
    super(detail ?? PROBLEMS[problem].title, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ProblemError";
    this.problem = problem;
    this.options = options;
  }
}

/** The client's error for an error of the storage; other errors stay as they are. */
export function storageProblem(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  switch (error.kind) {
    case "no-space":
      return new ProblemError("no-space", "the staging server's storage is full", { cause: error });
    case "unavailable":
      return new ProblemError("store-unavailable", "the staging server's storage does not answer", {
        cause: error,
        retryAfterSeconds: 2,
      });
    case "read-only":
      return new ProblemError("store-read-only", "the staging server's storage can be read only, at present", {
        cause: error,
      });
    case "damaged":
      return fileDamaged(error);
    case "conflict":
      return new ProblemError("conflict", undefined, { cause: error, retryAfterSeconds: 1 });
  }
}

/** The error for a stored file that is damaged or lost, with the only remedy. */
export function fileDamaged(cause?: unknown): ProblemError {
  const detail = "the stored file is damaged or lost; submit again: the upload repairs the file for all bundles";
  return new ProblemError("file-damaged", detail, cause === undefined ? {} : { cause });
}
