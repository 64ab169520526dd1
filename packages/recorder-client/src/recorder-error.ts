export interface RecorderErrorOptions {
  readonly status?: number | undefined;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** The recorder does not answer, or refuses. */
export class RecorderError extends Error {
  /** HTTP status of the answer; `undefined` if there was none. */
  readonly status: number | undefined;
  /** What the user can do. */
  readonly hint: string | undefined;

  constructor(message: string, { status, hint, cause }: RecorderErrorOptions = {}) {
    super(message, { cause });
    this.name = "RecorderError";
    this.status = status;
    this.hint = hint;
  }
}
