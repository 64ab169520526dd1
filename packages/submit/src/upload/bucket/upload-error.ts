import { KindlingError } from "@kindling/core-spec";
import { isObjectStoreError, type ObjectStoreError } from "@kindling/object-store";

/** What a submitter can do about a store's failure, in the keys of Spark. */
export interface UploadHints {
  /** If there is no answer. */
  readonly unreachable: string;
  /** If the bucket is in another region. */
  readonly region?: (region: string) => string;
}

/** A store's failure in words for the submitter. */
export function uploadError(error: unknown, hints: UploadHints): unknown {
  if (!isObjectStoreError(error)) return error;
  const { fault, status, message } = error;
  const hint = hintOf(error, hints);
  const options = { cause: error, ...(hint !== undefined && { hint }) };
  if (fault === "settings") return new KindlingError("CONF_INVALID", message, options);
  // No request was sent: no source of credentials is configured.
  if (fault === "credentials" && status === undefined) return new KindlingError("CONF_MISSING", message, options);
  return new KindlingError("UPLOAD_FAILED", message, options);
}

function hintOf({ fault, bucketRegion, hint }: ObjectStoreError, hints: UploadHints): string | undefined {
  if (bucketRegion !== undefined) return hints.region?.(bucketRegion) ?? hint;
  return fault === "unreachable" ? hints.unreachable : hint;
}
