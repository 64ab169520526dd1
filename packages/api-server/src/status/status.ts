/** One cause of a refusal, usually one field. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** `meta/v1` Status: the body of every answer that is not an object. */
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

/** An error that is sent to the client as a Status. */
export class ApiError extends Error {
  readonly status: Status;

  constructor(
    code: number,
    reason: string | undefined,
    message: string,
    details?: StatusDetails,
    metadata: Status["metadata"] = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.status = {
      kind: "Status",
      apiVersion: "v1",
      metadata,
      status: "Failure",
      message,
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    };
  }
}

/** A resource as messages and details name it. */
export interface ResourceName {
  readonly group: string;
  readonly resource: string;
}

/** The name of a resource with its group: `pods`, `deployments.apps`. */
export function qualifiedResource({ group, resource }: ResourceName): string {
  return group === "" ? resource : `${resource}.${group}`;
}
