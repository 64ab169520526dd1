import { bucketAt, s3Bucket, s3Client } from "@kindling/object-store/s3";
import type { BucketPlace, PlaceContext } from "../bucket-place.ts";
import { fromSetting } from "../setting-values.ts";
import { s3Credentials } from "./s3-credentials.ts";
import type { S3PlaceSettings } from "./s3-settings.ts";

/** @throws KindlingError `CONF_INVALID` if the address cannot be used. The bucket itself is not asked. */
export function s3Place(settings: S3PlaceSettings, context: PlaceContext): BucketPlace {
  const { clock, random, transport } = context;
  const bucket = fromSetting("store.s3.endpoint", () =>
    bucketAt({
      name: settings["store.s3.bucket"] ?? "",
      endpoint: settings["store.s3.endpoint"],
      region: settings["store.s3.region"],
      pathStyle: settings["store.s3.pathStyle"],
    }),
  );
  const credentials = s3Credentials(settings["store.s3.credentialsFile"], bucket.region, context);
  return {
    bucket: s3Bucket(s3Client({ bucket, credentials, connection: { transport, clock, random } })),
    prefix: settings["store.s3.prefix"],
    hint: "check endpoint, bucket, region and credentials, and that they may read, write, list and delete",
  };
}
