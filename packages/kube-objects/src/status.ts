/** One cause of a refusal, usually one field. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The object, or the kind of objects, that a Status is about. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** The resource, plural and in lower case, such as `pods`. For an invalid object it is the kind. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** `meta/v1` Status: the body of every answer that does not carry another object. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: { readonly continue?: string };
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}
