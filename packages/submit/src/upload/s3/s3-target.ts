import { KindlingError, type SparkConf } from "@kindling/core-spec";
import { awsSources, credentialsChain, s3Bucket, s3Client, staticKeys } from "@kindling/object-store/s3";
import { readIfThere, type ObjectPlace, type UploadTarget } from "../bucket/upload-files.ts";
import type { UploadOutside } from "../upload-outside.ts";
import { s3Settings } from "./s3-settings.ts";

/** S3 and stores that speak its protocol, as `s3a://bucket/key`; see {@link s3Settings} for the keys. */
export function s3Target(conf: SparkConf, { clock, random, env }: UploadOutside): UploadTarget {
  return {
    place,
    open(uri, transport) {
      const { bucket, keys } = s3Settings(place(uri).bucket, conf, env);
      const sources = [
        staticKeys("spark.hadoop.fs.s3a.access.key", keys),
        ...awsSources({ region: bucket.region, sessionName: "kindling-submit", instance: true }),
      ];
      const credentials = credentialsChain(
        sources,
        { clock, env, transport, readFile: readIfThere },
        "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or spark.hadoop.fs.s3a.access.key and " +
          "spark.hadoop.fs.s3a.secret.key in a properties file",
      );
      return s3Bucket(s3Client({ bucket, credentials, connection: { clock, random, transport } }));
    },
    hints: {
      unreachable: "spark.hadoop.fs.s3a.endpoint (or AWS_ENDPOINT_URL) says where the store is",
      region: (region) => `the bucket is in ${region}; set spark.hadoop.fs.s3a.endpoint.region=${region}`,
    },
  };
}

function place(uri: string): ObjectPlace {
  const [, bucket, key] = /^s3[an]?:\/\/([^/]+)\/+(.+)$/.exec(uri) ?? [];
  if (bucket !== undefined && key !== undefined) return { bucket, key };
  throw new KindlingError("CONF_INVALID", `${uri} names no bucket`, {
    hint: "write s3a://BUCKET/PREFIX in spark.kubernetes.file.upload.path",
  });
}
