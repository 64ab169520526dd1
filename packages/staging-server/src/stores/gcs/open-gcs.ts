import { gcsPlace } from "@kindling/stores/gcs";
import { bucketTransport, openBucket, PROGRAM } from "../bucket/open-bucket.ts";
import type { Storage, StoreContext } from "../store-driver.ts";
import type { GcsSettings } from "./gcs-settings.ts";

// "Quotas & limits": an object takes one write a second.
const RECORD_PAUSE_MS = 1_000;

/** @throws KindlingError if the bucket cannot be used as configured */
export async function openGcs(settings: GcsSettings, context: StoreContext): Promise<Storage> {
  const transport = bucketTransport(context);
  return await openBucket(
    {
      ...gcsPlace(settings, { ...context, transport, program: PROGRAM }),
      kind: "gcs",
      transport,
      partSize: settings["store.gcs.partSize"],
      spoolPath: settings["store.gcs.spoolPath"],
      recordPauseMs: RECORD_PAUSE_MS,
    },
    context,
  );
}
