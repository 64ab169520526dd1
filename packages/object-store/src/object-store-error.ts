/**
 * What went wrong at a store, as far as somebody can act on it.
 *
 * - `settings`: what the caller gave cannot be used: an endpoint, a name
 * - `credentials`: there are none, or whoever gives them out refuses
 * - `unreachable`: no connection, no answer in time, or one that broke off
 * - `tls`: a certificate that does not hold
 * - `cancelled`: the caller's signal
 * - `not-found`, `forbidden`, `rejected`: the answer is no and stays no
 * - `no-space`: the store is full, or a quota of it is
 * - `overloaded`, `server`: the store cannot at present
 * - `redirect`: it leads to where no request may go
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
  /** Of HTTP. */
  readonly status?: number | undefined;
  /** The store's own word for it, such as `NoSuchKey` or `StandbyException`. */
  readonly code?: string | undefined;
  /** Where the bucket is, if that is why a request was refused. */
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

/** What was asked for, or `undefined` where the store does not have it. */
export async function ifPresent<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isObjectStoreError(error) && error.fault === "not-found") return undefined;
    throw error;
  }
}
