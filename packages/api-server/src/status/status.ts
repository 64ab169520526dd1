import type { Status, StatusDetails } from "@kindling/kube-objects";

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
