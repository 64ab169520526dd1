/**
 * What went wrong at a store, in the kinds that users can act on.
 *
 * - `settings`: a value of the caller cannot be used: an endpoint, a name
 * - `credentials`: there are none, or their source refuses to give them
 * - `unreachable`: no connection, no answer in time, or an incomplete answer
 * - `tls`: an invalid certificate
 * - `cancelled`: the caller's signal
 * - `not-found`, `forbidden`, `rejected`: a refusal that will not change
 * - `no-space`: the store or a quota of it is full
 * - `overloaded`, `server`: the store cannot do it at present
 * - `redirect`: it leads to a place where no request may go
 * - `protocol`: it does not speak the protocol
 */
export type StoreFault =
  | "settings"
  | "credentials"
  | "unreachable"
  | "tls"
  | "cancelled"
  | "not-found"
  | "forbidden"
  | "rejected"
  | "no-space"
  | "overloaded"
  | "server"
  | "redirect"
  | "protocol";

export interface ObjectStoreErrorOptions {
  /** What the user can do about it: one line without a full stop. */
  readonly hint?: string | undefined;
  /** The HTTP status. */
  readonly status?: number | undefined;
  /** The store's own code for it, such as `NoSuchKey` or `StandbyException`. */
  readonly code?: string | undefined;
  /** The bucket's region, if that is why a request was refused. */
  readonly bucketRegion?: string | undefined;
  /** Whether the same request may succeed later; default: not. */
  readonly retryable?: boolean | undefined;
  readonly cause?: unknown;
}

// Bundled programs may hold two copies of this module.
const BRAND = Symbol.for("@kindling/object-store/ObjectStoreError");

/** A request that a store did not carry out. The message is one line for users, and never holds a secret. */
export class ObjectStoreError extends Error {
  readonly fault: StoreFault;
  readonly hint: string | undefined;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly bucketRegion: string | undefined;
  readonly retryable: boolean;

  constructor(fault: StoreFault, message: string, options: ObjectStoreErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ObjectStoreError";
    this.fault = fault;
    this.hint = options.hint;
    this.status = options.status;
    this.code = options.code;
    this.bucketRegion = options.bucketRegion;
    this.retryable = options.retryable ?? false;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Whether a value is an {@link ObjectStoreError}, whichever copy of this package made it. */
export function isObjectStoreError(value: unknown): value is ObjectStoreError {
  return typeof value === "object" && value !== null && BRAND in value;
}

/** The requested thing, or `undefined` if the store does not have it. */
export async function ifPresent<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isObjectStoreError(error) && error.fault === "not-found") return undefined;
    throw error;
  }
}
