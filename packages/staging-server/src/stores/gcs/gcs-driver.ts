import type { StoreDriver } from "../store-driver.ts";
import { GCS_KEYS, type GcsSettings } from "./gcs-settings.ts";

/** A bucket of Google Cloud Storage. Any number of servers may share it. */
export const gcsDriver: StoreDriver<"gcs", GcsSettings> = {
  kind: "gcs",
  doc: "a bucket of Google Cloud Storage that any number of servers may share",
  keys: GCS_KEYS,
  // A spool for each part on its way, and a connection for each, except the part that is being filled.
  perUpload: 6,
  check: (settings) => (settings["store.gcs.uri"] === undefined ? "store.gcs.uri" : undefined),
  async open(settings, context) {
    const { openGcs } = await import("./open-gcs.ts");
    return await openGcs(settings, context);
  },
};
