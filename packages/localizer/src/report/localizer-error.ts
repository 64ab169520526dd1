/** Why a run failed: the exit code of the process, and what the reason means to whoever reads it. */
export interface ReasonEntry {
  readonly exitCode: number;
  readonly meaning: string;
}

export type Reason =
  | "internal"
  | "config"
  | "not-found"
  | "refused"
  | "digest"
  | "disk"
  | "unreachable"
  | "archive"
  | "tls"
  | "redirect"
  | "protocol"
  | "deadline"
  | "too-large"
  | "killed"
  | "interrupted";

/** Every reason. Exit codes are never reused for another meaning. */
export const REASONS: Readonly<Record<Reason, ReasonEntry>> = {
  internal: { exitCode: 1, meaning: "a fault of the localizer itself" },
  config: { exitCode: 2, meaning: "the configuration, or a file that it names, cannot be used" },
  "not-found": { exitCode: 3, meaning: "a file or bundle is not there, or not any more" },
  refused: { exitCode: 4, meaning: "credentials are missing, wrong or not sufficient" },
  digest: { exitCode: 5, meaning: "the bytes are not those announced" },
  disk: { exitCode: 6, meaning: "the volume is full or cannot be written to" },
  unreachable: { exitCode: 7, meaning: "a server does not answer, or only with failures, after retries" },
  archive: { exitCode: 8, meaning: "an archive is damaged, unsafe or too large" },
  tls: { exitCode: 9, meaning: "a server's certificate does not hold" },
  redirect: { exitCode: 10, meaning: "a redirect to a host that is not allowed" },
  protocol: { exitCode: 11, meaning: "a server answered in a way that makes no sense" },
  deadline: { exitCode: 12, meaning: "the time for all of it was up" },
  "too-large": { exitCode: 13, meaning: "a file is larger than `limits` allows" },
  killed: { exitCode: 137, meaning: "ended before it could say why; 134 if Node ran out of memory" },
  interrupted: { exitCode: 143, meaning: "SIGTERM or SIGINT" },
};

export interface LocalizerErrorOptions {
  /** What was to be brought where. */
  readonly file?: string | undefined;
  /** What to do about it: one line. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** A run that failed, made for the user. */
export class LocalizerError extends Error {
  readonly reason: Reason;
  readonly file: string | undefined;
  readonly hint: string | undefined;

  constructor(reason: Reason, message: string, options: LocalizerErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "LocalizerError";
    this.reason = reason;
    this.file = options.file;
    this.hint = options.hint;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

const BRAND = Symbol.for("@kindling/localizer/LocalizerError");

export function isLocalizerError(value: unknown): value is LocalizerError {
  return typeof value === "object" && value !== null && BRAND in value;
}

/** Whether somebody has told the process to stop, who will not wait for long. */
export function isInterruption(reason: unknown): boolean {
  return isLocalizerError(reason) && reason.reason === "interrupted";
}
