import { KindlingError, type SparkConf } from "@kindling/core-spec";
import { isObjectStoreError } from "@kindling/object-store";
import { bucketAt, type AwsKeys, type Bucket } from "@kindling/object-store/s3";
import type { Env } from "@kindling/outside";

/** Where a bucket is, and the credentials in the configuration. */
export interface S3Settings {
  readonly bucket: Bucket;
  readonly keys: AwsKeys | undefined;
}

/**
 * Reads what Hadoop's S3A connector would use for a bucket: `spark.hadoop.fs.s3a.bucket.BUCKET.KEY` before
 * `spark.hadoop.fs.s3a.KEY` (Hadoop, "Configuring different S3 buckets with Per-Bucket Configuration"), and, as
 * SparkHadoopUtil.appendS3CredentialsFromEnvironment does, `AWS_*` of the environment below them.
 *
 * @throws KindlingError `CONF_INVALID` for an endpoint that is no URL
 */
export function s3Settings(name: string, conf: SparkConf, env: Env): S3Settings {
  const key = (each: string): string | undefined =>
    conf.raw(`spark.hadoop.fs.s3a.bucket.${name}.${each}`) ?? conf.raw(`spark.hadoop.fs.s3a.${each}`);
  const accessKeyId = key("access.key") || env["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = key("secret.key") || env["AWS_SECRET_ACCESS_KEY"];
  const sessionToken = key("session.token") || env["AWS_SESSION_TOKEN"] || undefined;
  // Hadoop and Amazon's tools both treat empty values as unset.
  const given = key("endpoint") || env["AWS_ENDPOINT_URL_S3"] || env["AWS_ENDPOINT_URL"] || undefined;
  const scheme = key("connection.ssl.enabled") === "false" ? "http" : "https";
  const endpoint = given === undefined || given.includes("://") ? given : `${scheme}://${given}`;
  const region = key("endpoint.region") || env["AWS_REGION"] || env["AWS_DEFAULT_REGION"] || undefined;
  const pathStyle = key("path.style.access") === "true";
  try {
    return {
      bucket: bucketAt({ name, endpoint, region, pathStyle }),
      keys: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey, sessionToken } : undefined,
    };
  } catch (error) {
    if (!isObjectStoreError(error)) throw error;
    throw new KindlingError("CONF_INVALID", `spark.hadoop.fs.s3a.endpoint: ${given} is not a host or a URL`, {
      cause: error,
      hint: "write for example https://s3.eu-central-1.amazonaws.com or minio.storage.svc:9000",
    });
  }
}
