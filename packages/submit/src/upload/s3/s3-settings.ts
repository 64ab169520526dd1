import { KindlingError, type SparkConf } from "@kindling/core-spec";

/** Where a bucket is and who asks. */
export interface S3Settings {
  readonly bucket: string;
  /** The URL under which the bucket's keys lie, without a slash at its end. */
  readonly bucketUrl: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const DEFAULT_ENDPOINT = "s3.amazonaws.com";
const AMAZON = /(^|\.)amazonaws\.com(\.cn)?$/;

/**
 * Reads what Hadoop's S3A connector would use for a bucket: `spark.hadoop.fs.s3a.bucket.BUCKET.KEY` before
 * `spark.hadoop.fs.s3a.KEY` (Hadoop, "Configuring different S3 buckets with Per-Bucket Configuration"), and, as
 * SparkHadoopUtil.appendS3CredentialsFromEnvironment does, `AWS_*` of the environment below them.
 *
 * @throws KindlingError `CONF_MISSING` where there are no credentials, `CONF_INVALID` for an endpoint that is no URL
 */
export function s3Settings(bucket: string, conf: SparkConf, env: (name: string) => string | undefined): S3Settings {
  const key = (name: string) =>
    conf.raw(`spark.hadoop.fs.s3a.bucket.${bucket}.${name}`) ?? conf.raw(`spark.hadoop.fs.s3a.${name}`);
  const accessKeyId = key("access.key") ?? env("AWS_ACCESS_KEY_ID");
  const secretAccessKey = key("secret.key") ?? env("AWS_SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new KindlingError("CONF_MISSING", `there are no credentials to upload to the bucket ${bucket}`, {
      hint:
        "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or spark.hadoop.fs.s3a.access.key and " +
        "spark.hadoop.fs.s3a.secret.key in a properties file",
    });
  }
  const endpoint = endpointUrl(
    key("endpoint") ?? env("AWS_ENDPOINT_URL_S3") ?? env("AWS_ENDPOINT_URL") ?? DEFAULT_ENDPOINT,
    key("connection.ssl.enabled") !== "false",
  );
  const region = key("endpoint.region") ?? env("AWS_REGION") ?? env("AWS_DEFAULT_REGION");
  const sessionToken = key("session.token") ?? env("AWS_SESSION_TOKEN");
  const host = amazonHost(endpoint, region);
  return {
    bucket,
    bucketUrl:
      key("path.style.access") === "true" || !isDnsName(bucket)
        ? `${endpoint.protocol}//${host}${folder(endpoint)}/${bucket}`
        : `${endpoint.protocol}//${bucket}.${host}${folder(endpoint)}`,
    region: region ?? regionOf(endpoint.hostname),
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
  };
}

function endpointUrl(endpoint: string, tls: boolean): URL {
  try {
    return new URL(endpoint.includes("://") ? endpoint : `${tls ? "https" : "http"}://${endpoint}`);
  } catch (error) {
    throw new KindlingError("CONF_INVALID", `spark.hadoop.fs.s3a.endpoint: ${endpoint} is not a host or a URL`, {
      cause: error,
      hint: "write for example https://s3.eu-central-1.amazonaws.com or minio.storage.svc:9000",
    });
  }
}

/** Amazon's central endpoint answers other regions with a redirect, which a signed request cannot follow. */
function amazonHost(endpoint: URL, region: string | undefined): string {
  return endpoint.hostname === DEFAULT_ENDPOINT && region !== undefined ? `s3.${region}.amazonaws.com` : endpoint.host;
}

function regionOf(host: string): string {
  if (!AMAZON.test(host)) return "us-east-1";
  return /^s3[.-]([a-z0-9-]+)\.amazonaws\.com(\.cn)?$/.exec(host)?.[1] ?? "us-east-1";
}

function folder(endpoint: URL): string {
  return endpoint.pathname.replace(/\/+$/, "");
}

/** Whether a bucket may be a part of a host's name; with dots, a certificate for `*.host` does not cover it. */
function isDnsName(bucket: string): boolean {
  return /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(bucket);
}
