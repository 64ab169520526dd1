import type { StoreDriver } from "../store-driver.ts";
import { S3_KEYS, type S3Settings } from "./s3-settings.ts";

/** A bucket of an S3-compatible store. Any number of servers may share it. */
export const s3Driver: StoreDriver<"s3", S3Settings> = {
  kind: "s3",
  doc: "a bucket that any number of servers may share",
  keys: S3_KEYS,
  // A spool for each part on its way to S3, and a connection for each, except the part that is being filled.
  perUpload: 6,
  check: (settings) => (settings["store.s3.bucket"] === undefined ? "store.s3.bucket" : undefined),
  async open(settings, context) {
    const { openS3 } = await import("./open-s3.ts");
    return await openS3(settings, context);
  },
};
