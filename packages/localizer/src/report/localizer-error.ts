import type { Audience } from "@kindling/core-spec";

/** A reason for a failed run: the exit code of the process, and the meaning for the reader. */
export interface ReasonEntry {
  readonly exitCode: number;
  /** Who can fix it. */
  readonly audience: Audience;
  /** Whether the same pod may succeed later, with nothing changed. */
  readonly retryable: boolean;
  /** One sentence, without a full stop. */
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
  internal: { exitCode: 1, audience: "kindling", retryable: false, meaning: "a fault of the localizer itself" },
  config: {
    exitCode: 2,
    audience: "user",
    retryable: false,
    meaning: "the configuration, or a file that it names, cannot be used",
  },
  "not-found": {
    exitCode: 3,
    audience: "user",
    retryable: false,
    meaning: "a file or bundle is not there, or not any more",
  },
  refused: {
    exitCode: 4,
    audience: "user",
    retryable: false,
    meaning: "credentials are missing, wrong or not sufficient",
  },
  digest: { exitCode: 5, audience: "user", retryable: false, meaning: "the bytes are not those announced" },
  disk: { exitCode: 6, audience: "operator", retryable: false, meaning: "the volume is full or cannot be written to" },
  unreachable: {
    exitCode: 7,
    audience: "operator",
    retryable: true,
    meaning: "a server does not answer, or only with failures, after retries",
  },
  archive: { exitCode: 8, audience: "user", retryable: false, meaning: "an archive is damaged, unsafe or too large" },
  tls: { exitCode: 9, audience: "operator", retryable: false, meaning: "a server's certificate is not valid" },
  redirect: {
    exitCode: 10,
    audience: "operator",
    retryable: false,
    meaning: "a redirect to a host that is not allowed",
  },
  protocol: {
    exitCode: 11,
    audience: "operator",
    retryable: false,
    meaning: "a server answered in a way that makes no sense",
  },
  deadline: { exitCode: 12, audience: "operator", retryable: true, meaning: "the deadline for all files has passed" },
  "too-large": { exitCode: 13, audience: "user", retryable: false, meaning: "a file is larger than `limits` allows" },
  killed: {
    exitCode: 137,
    audience: "operator",
    retryable: true,
    meaning: "ended before it could say why; 134 if Node ran out of memory",
  },
  interrupted: { exitCode: 143, audience: "user", retryable: true, meaning: "SIGTERM or SIGINT" },
};

export interface LocalizerErrorOptions {
  /** Which file was to be put where. */
  readonly file?: string | undefined;
  /** What to do about it: one line. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** The error of a failed run, for the user. */
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

/** Whether the process got a signal to stop, and has little time. */
export function isInterruption(reason: unknown): boolean {
  return isLocalizerError(reason) && reason.reason === "interrupted";
}
