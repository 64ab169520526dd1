import { KindlingError } from "@kindling/core-spec";
import { isObjectStoreError, type ObjectStoreError } from "@kindling/object-store";

/** A store's failure in words for the submitter, with the keys of Spark that could solve it. */
export function uploadError(error: unknown): unknown {
  if (!isObjectStoreError(error)) return error;
  const { fault, status, message } = error;
  const hint = hintOf(error);
  const options = { cause: error, ...(hint !== undefined && { hint }) };
  if (fault === "settings") return new KindlingError("CONF_INVALID", message, options);
  // No request was sent: no source of credentials is configured.
  if (fault === "credentials" && status === undefined) return new KindlingError("CONF_MISSING", message, options);
  return new KindlingError("UPLOAD_FAILED", message, options);
}

function hintOf({ fault, bucketRegion, hint }: ObjectStoreError): string | undefined {
  if (bucketRegion !== undefined) {
    return `the bucket is in ${bucketRegion}; set spark.hadoop.fs.s3a.endpoint.region=${bucketRegion}`;
  }
  if (fault === "unreachable") return "spark.hadoop.fs.s3a.endpoint (or AWS_ENDPOINT_URL) says where the store is";
  return hint;
}
