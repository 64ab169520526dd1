import { bucketAt, s3Bucket, s3Client, type Bucket } from "@kindling/object-store/s3";
import { bucketTransport, fromSetting, openBucket } from "../bucket/open-bucket.ts";
import type { Storage, StoreContext } from "../store-driver.ts";
import { s3Credentials } from "./s3-credentials.ts";
import type { S3Settings } from "./s3-settings.ts";

/** @throws KindlingError if the bucket cannot be used as configured, or its server lacks needed functions */
export async function openS3(settings: S3Settings, context: StoreContext): Promise<Storage> {
  const { clock, random, env } = context;
  const transport = bucketTransport(context);
  const bucket = bucketOf(settings);
  const credentials = s3Credentials(settings["store.s3.credentialsFile"], bucket.region, { transport, clock, env });
  return await openBucket(
    {
      kind: "s3",
      bucket: s3Bucket(s3Client({ bucket, credentials, connection: { transport, clock, random } })),
      transport,
      prefix: settings["store.s3.prefix"],
      partSize: settings["store.s3.partSize"],
      spoolPath: settings["store.s3.spoolPath"],
      recordPauseMs: 0,
      hint: "check endpoint, bucket, region and credentials, and that they may read, write, list and delete",
    },
    context,
  );
}

function bucketOf(settings: S3Settings): Bucket {
  return fromSetting("store.s3.endpoint", () =>
    bucketAt({
      name: settings["store.s3.bucket"] ?? "",
      endpoint: settings["store.s3.endpoint"],
      region: settings["store.s3.region"],
      pathStyle: settings["store.s3.pathStyle"],
    }),
  );
}
