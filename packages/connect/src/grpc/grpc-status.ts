/** The codes of gRPC that the service answers with (grpc/doc/statuscodes.md). */
export const GRPC_CODES = {
  OK: 0,
  CANCELLED: 1,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

export type GrpcCode = Exclude<keyof typeof GRPC_CODES, "OK">;

export interface GrpcErrorOptions {
  readonly cause?: unknown;
  /** Spark's error class, for clients that look for it. */
  readonly sparkErrorClass?: string;
  /** When the client may try again, milliseconds; clients of Spark 4 wait that long. */
  readonly retryAfterMs?: number;
}

/** A call that ends with a status for the client, instead of an answer. */
export class GrpcError extends Error {
  override readonly name = "GrpcError";
  readonly code: GrpcCode;
  readonly sparkErrorClass: string | undefined;
  readonly retryAfterMs: number | undefined;

  /** @param message one sentence for a person, without secrets */
  constructor(code: GrpcCode, message: string, options: GrpcErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.sparkErrorClass = options.sparkErrorClass;
    this.retryAfterMs = options.retryAfterMs;
  }
}
