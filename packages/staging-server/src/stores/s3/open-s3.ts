import { s3Place } from "@kindling/stores/s3";
import { bucketTransport, openBucket, PROGRAM } from "../bucket/open-bucket.ts";
import type { Storage, StoreContext } from "../store-driver.ts";
import type { S3Settings } from "./s3-settings.ts";

/** @throws KindlingError if the bucket cannot be used as configured, or its server lacks needed functions */
export async function openS3(settings: S3Settings, context: StoreContext): Promise<Storage> {
  const transport = bucketTransport(context);
  return await openBucket(
    {
      ...s3Place(settings, { ...context, transport, program: PROGRAM }),
      kind: "s3",
      transport,
      partSize: settings["store.s3.partSize"],
      spoolPath: settings["store.s3.spoolPath"],
      recordPauseMs: 0,
    },
    context,
  );
}
