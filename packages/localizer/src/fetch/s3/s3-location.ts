import { isObjectStoreError } from "@kindling/object-store";
import { bucketAt, type Bucket } from "@kindling/object-store/s3";
import type { ResolvedS3 } from "../../config/localizer-config.ts";
import type { Environment } from "../../config/environment.ts";
import { LocalizerError } from "../../report/localizer-error.ts";

/** Where an object is. */
export interface S3Location {
  readonly bucket: Bucket;
  /** Not encoded. */
  readonly key: string;
}

/**
 * Parses `s3://bucket/key`. As with AWS's own tools, the environment may name the store; the configuration wins. By
 * default, requests to a configured endpoint have the path `/bucket/key`: few such stores have a host name for each
 * bucket.
 *
 * @throws LocalizerError `config`
 */
export function s3Location(uri: string, config: ResolvedS3, env: Environment): S3Location {
  const [, name = "", path = ""] = /^[^:]+:\/\/([^/]+)\/+(.*)$/s.exec(uri) ?? [];
  const set = (variable: string): string | undefined => env[variable] || undefined;
  try {
    const bucket = bucketAt({
      name,
      endpoint: config.endpoint ?? set("AWS_ENDPOINT_URL_S3") ?? set("AWS_ENDPOINT_URL"),
      region: config.region ?? set("AWS_REGION") ?? set("AWS_DEFAULT_REGION"),
      pathStyle: config.pathStyle,
    });
    return { bucket, key: path.split("/").map(decoded).join("/") };
  } catch (error) {
    if (!isObjectStoreError(error)) throw error;
    throw new LocalizerError("config", error.message, {
      hint: "set s3.endpoint or AWS_ENDPOINT_URL, such as https://minio.storage.svc:9000",
      cause: error,
    });
  }
}

/** A key may be percent-encoded or not. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // The percent sign is part of the key.
    return segment;
  }
}
