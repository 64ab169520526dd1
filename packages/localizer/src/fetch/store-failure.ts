import { isObjectStoreError, type ObjectStoreError, type StoreFault } from "@kindling/object-store";
import { StagingError, type StagingFault } from "@kindling/staging-client";
import { LocalizerError } from "../report/localizer-error.ts";

const FAULTS: Readonly<Record<StoreFault, StagingFault>> = {
  settings: "rejected",
  credentials: "forbidden",
  unreachable: "connect",
  tls: "tls",
  cancelled: "cancelled",
  "not-found": "not-found",
  forbidden: "forbidden",
  rejected: "rejected",
  "no-space": "rejected",
  overloaded: "overloaded",
  server: "server",
  redirect: "redirect",
  protocol: "protocol",
};

/** Turns a store's failure into an error of a download. */
export function storeFailure(error: unknown): unknown {
  if (!isObjectStoreError(error)) return error;
  const { fault, message, status, retryable } = error;
  const hint = hintOf(error);
  if (fault === "settings") return new LocalizerError("config", message, { hint, cause: error });
  // No request was sent, because no source of credentials is configured.
  if (fault === "credentials" && status === undefined) {
    return new LocalizerError("refused", message, { hint, cause: error });
  }
  return new StagingError(retryable && fault === "credentials" ? "server" : FAULTS[fault], message, {
    retryable,
    cause: error,
    ...(status !== undefined && { status }),
    ...(hint !== undefined && { hint }),
  });
}

function hintOf({ fault, code, bucketRegion, hint }: ObjectStoreError): string | undefined {
  if (bucketRegion !== undefined) return `the bucket is in ${bucketRegion}: set s3.region or AWS_REGION`;
  // The advice for these depends on the file: see `failureOf`.
  const own = fault === "forbidden" && code !== "RequestTimeTooSkewed";
  return own || fault === "redirect" ? undefined : hint;
}
